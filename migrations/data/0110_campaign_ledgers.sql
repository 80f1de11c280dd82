-- Up Migration
-- What a campaign raised, less the gifts an outsider can list, is what the others gave. So the exact sum moves into a table of
-- its own, which only the masjid's own people and apps are shown, and ua_campaigns.raised_minor becomes the published sum: it
-- moves in steps of five gifts. Even a statement that forgets the rule can read no more than the published sum.
--
-- Gifts that are listed for outsiders (nameless ones, and those of members who agreed to sharing) and gifts that are not are
-- counted apart, and a step of the latter comes from five people at least: otherwise four listed gifts and a hidden one would
-- make a step, and a difference would show the hidden one.

create table campaign_ledgers (
  campaign_id uuid primary key references ua_campaigns on delete cascade,
  masjid_id uuid not null,
  raised_minor bigint not null default 0 check (raised_minor >= 0),
  -- null until the first step; may fall below nothing for a while when a gift and its refund are counted in different steps
  published_minor bigint
);
comment on table campaign_ledgers is E'@hidden\nWhat each campaign has raised to the last gift, and what of it is published.';
comment on column campaign_ledgers.campaign_id is 'The campaign.';
comment on column campaign_ledgers.masjid_id is 'The masjid that collects.';
comment on column campaign_ledgers.raised_minor is 'What has been received, less what was given back.';
comment on column campaign_ledgers.published_minor is 'What everybody is shown; null before the first five gifts.';

alter table campaign_ledgers enable row level security;
create policy reading on campaign_ledgers for select using (
  masjid_id = any ((select masjids_in_full())::uuid[])
  or masjid_id between (select all_in_full()) and 'ffffffff-ffff-ffff-ffff-ffffffffffff'
);

create table unpublished_gifts (
  campaign_id uuid not null references campaign_ledgers on delete cascade,
  donation_id uuid not null,
  arrival bigint not null generated always as identity,
  is_listed boolean not null,
  giver text not null,
  difference_minor bigint not null,
  primary key (campaign_id, donation_id)
);
comment on table unpublished_gifts is E'@hidden\nGifts, and changes of gifts, that the published sum of their campaign does not hold yet.';
comment on column unpublished_gifts.campaign_id is 'The campaign.';
comment on column unpublished_gifts.donation_id is 'The gift.';
comment on column unpublished_gifts.arrival is 'The order in which they are published.';
comment on column unpublished_gifts.is_listed is 'Whether apps other than the masjid''s own can list the gift.';
comment on column unpublished_gifts.giver is 'Who gave.';
comment on column unpublished_gifts.difference_minor is 'What the gift adds to the published sum.';

create function is_listed_gift(donation ua_donations) returns boolean
language sql stable
begin atomic;
  select case when donation.member_id is null
    then donation.recurring_donation_id is null and donation.donor_name is null and donation.donor_email is null
    else exists (
      select from ua_members where id = donation.member_id and consent_api_sharing and deleted_at is null) end;
end;
comment on function is_listed_gift is 'Whether apps other than the masjid''s own can list a gift; says the same as the policy on ua_donations.';

create function giver_of(donation ua_donations) returns text
language sql immutable
begin atomic;
  select coalesce(donation.member_id::text, donation.donor_email, donation.donor_name,
    donation.recurring_donation_id::text, donation.id::text);
end;
comment on function giver_of is 'Who gave, as far as the gift tells.';

-- The longest run of whole fives, oldest first, that covers enough people. Callers hold the lock on the ledger.
create function publish_gifts(campaigns uuid[]) returns void
language plpgsql security definer set search_path from current as $$
begin
  with first_gifts as (
    select *, row_number() over (partition by campaign_id, is_listed, giver order by arrival) = 1 as is_new_giver
    from unpublished_gifts where campaign_id = any (campaigns)
  ), counted as (
    select *, count(*) over upto as gifts, count(*) filter (where is_new_giver) over upto as givers
    from first_gifts window upto as (partition by campaign_id, is_listed order by arrival)
  ), steps as (
    select campaign_id, is_listed, max(arrival) as last_arrival from counted
    where gifts % 5 = 0 and (is_listed or givers >= 5) group by campaign_id, is_listed
  ), published as (
    delete from unpublished_gifts gift using steps
    where gift.campaign_id = steps.campaign_id and gift.is_listed = steps.is_listed and gift.arrival <= steps.last_arrival
    returning gift.campaign_id, gift.difference_minor
  )
  update campaign_ledgers ledger set published_minor = coalesce(published_minor, 0) + total.difference
  from (select campaign_id, sum(difference_minor) as difference from published group by campaign_id) total
  where ledger.campaign_id = total.campaign_id;
  update ua_campaigns campaign set raised_minor = greatest(ledger.published_minor, 0)
  from campaign_ledgers ledger
  where ledger.campaign_id = campaign.id and campaign.id = any (campaigns) and ledger.published_minor is not null
    and campaign.raised_minor is distinct from greatest(ledger.published_minor, 0);
end
$$;
comment on function publish_gifts is 'Adds to the published sums of campaigns what may be published.';

create type gift_change as (campaign_id uuid, donation_id uuid, is_listed boolean, giver text, difference_minor bigint, received_at timestamptz);
comment on type gift_change is 'What a written gift changes at a campaign.';

-- By difference, not by summing anew: two gifts committed at once are both counted. The ledgers are locked first and in one
-- order, so that the gifts of a campaign are counted one after another and two who write never wait for each other.
create function count_gifts(changes gift_change[]) returns void
language plpgsql security definer set search_path from current as $$
declare
  touched uuid[];
begin
  select array_agg(distinct campaign_id) into touched from unnest(changes);
  if touched is null then
    return;
  end if;
  perform from campaign_ledgers where campaign_id = any (touched) order by campaign_id for no key update;
  update campaign_ledgers ledger set raised_minor = raised_minor + total.difference
  from (select campaign_id, sum(difference_minor) as difference from unnest(changes) group by campaign_id) total
  where ledger.campaign_id = total.campaign_id and total.difference <> 0;
  insert into unpublished_gifts as gift (campaign_id, donation_id, is_listed, giver, difference_minor)
  select campaign_id, donation_id, is_listed, giver, difference_minor from unnest(changes)
  order by received_at nulls last, donation_id
  on conflict (campaign_id, donation_id) do update
    set difference_minor = gift.difference_minor + excluded.difference_minor, is_listed = gift.is_listed and excluded.is_listed;
  delete from unpublished_gifts where campaign_id = any (touched) and difference_minor = 0;
  perform publish_gifts(touched);
end
$$;
comment on function count_gifts is 'Adds changed gifts to what their campaigns have raised.';

create or replace function count_new_gifts() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  perform count_gifts(array_agg(row(campaign_id, id, is_listed_gift(gift), giver_of(gift), net_gift(gift), received_at)::gift_change))
  from after_change gift where campaign_id is not null and net_gift(gift) <> 0;
  return null;
end
$$;

create or replace function count_changed_gifts() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  perform count_gifts(array_agg(row(campaign_id, id, is_listed, giver, difference, received_at)::gift_change))
  from (
    select campaign_id, id, bool_and(is_listed) as is_listed, max(giver) as giver, sum(net)::bigint as difference,
      max(received_at) as received_at
    from (
      select campaign_id, id, is_listed_gift(gift) as is_listed, giver_of(gift) as giver, net_gift(gift) as net, received_at
      from after_change gift
      union all
      select campaign_id, id, is_listed_gift(gift), giver_of(gift), -net_gift(gift), received_at from before_change gift
    ) both_sides
    where campaign_id is not null group by campaign_id, id having sum(net) <> 0
  ) changes;
  return null;
end
$$;

create or replace function count_removed_gifts() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  perform count_gifts(array_agg(row(campaign_id, id, is_listed_gift(gift), giver_of(gift), -net_gift(gift), received_at)::gift_change))
  from before_change gift where campaign_id is not null and net_gift(gift) <> 0;
  return null;
end
$$;

drop function apply_campaign_difference(uuid, bigint);

-- Nobody writes the published sum: it is always what the ledger says.
create function keep_published_sum() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  new.raised_minor := (
    select greatest(published_minor, 0) from campaign_ledgers where campaign_id = new.id and published_minor is not null);
  return new;
end
$$;
comment on function keep_published_sum is 'Takes a campaign''s published sum from its ledger.';

create function open_ledger() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into campaign_ledgers (campaign_id, masjid_id) values (new.id, new.masjid_id)
  on conflict (campaign_id) do update set masjid_id = excluded.masjid_id;
  return null;
end
$$;
comment on function open_ledger is 'Opens the ledger of a new campaign, and lets it follow the campaign to another masjid.';

alter table ua_campaigns alter column raised_minor drop not null, alter column raised_minor drop default;
insert into campaign_ledgers (campaign_id, masjid_id, raised_minor) select id, masjid_id, raised_minor from ua_campaigns;
update ua_campaigns set raised_minor = null;
create trigger keep_published_sum before insert or update of raised_minor on ua_campaigns
  for each row execute function keep_published_sum();
create trigger open_ledger after insert or update of masjid_id on ua_campaigns for each row execute function open_ledger();
insert into unpublished_gifts (campaign_id, donation_id, is_listed, giver, difference_minor)
select campaign_id, id, is_listed_gift(gift), giver_of(gift), net_gift(gift) from ua_donations gift
where campaign_id is not null and net_gift(gift) <> 0 order by received_at nulls last, id;
select publish_gifts(array_agg(campaign_id)) from campaign_ledgers;

comment on column ua_campaigns.raised_minor is E'@exact campaign_ledgers campaign_id raised_minor\nWhat has been received, less what was given back, in the currency''s smallest unit. The masjid''s own people and apps see it to the last gift; all others in steps of five gifts, and null before the first five.';
