-- Up Migration
-- Gifts are only ever added. A mistake is corrected by a reversal: a row with a negative amount that names the gift it takes back,
-- in full or in part. Sums over amount_minor, campaigns and published sums follow by themselves.

alter table ua_donations
  add column reverses_donation_id uuid,
  drop constraint ua_donations_amount_minor_check,
  drop constraint ua_donations_fee_within_amount,
  drop constraint ua_donations_refund_within_amount,
  drop constraint ua_donations_refund_status_check,
  add constraint ua_donations_amount_minor_check
    check (case when reverses_donation_id is null then amount_minor > 0 else amount_minor < 0 end),
  add constraint ua_donations_fee_within_amount
    check (case when reverses_donation_id is null then fee_minor <= amount_minor else fee_minor = 0 end),
  add constraint ua_donations_refund_within_amount
    check (case when reverses_donation_id is null then refunded_minor <= amount_minor else refunded_minor = 0 end),
  add constraint ua_donations_refund_status_check check (case
    when reverses_donation_id is not null then status = 'succeeded'
    when status = 'refunded' then refunded_minor = amount_minor
    when status = 'succeeded' then refunded_minor < amount_minor
    else refunded_minor = 0 end),
  add constraint ua_donations_reverses_donation_id_fkey foreign key (reverses_donation_id) references ua_donations;
create index on ua_donations (reverses_donation_id) where reverses_donation_id is not null;
comment on column ua_donations.amount_minor is 'The amount in the currency''s smallest unit; negative if the row takes back a gift.';
comment on column ua_donations.reverses_donation_id is 'The gift that this row takes back, in full or in part; null for a gift. Masjid, campaign, currency, fund and giver are those of the gift.';
comment on constraint ua_donations_reverses_donation_id_fkey on ua_donations is E'@object reversed_donation\n@array reversals\nA reversal names a gift of the same masjid.';

-- Runs as the writer, so that a gift that the writer cannot see looks like one that does not exist.
create function check_reversed_gift() returns trigger
language plpgsql set search_path from current as $$
begin
  if not exists (select id from ua_donations where id = new.reverses_donation_id) then
    raise exception 'There is no such gift to reverse.' using errcode = 'foreign_key_violation',
      constraint = 'ua_donations_reverses_donation_id_fkey', table = 'ua_donations';
  end if;
  return new;
end
$$;
comment on function check_reversed_gift is 'Refuses to reverse a gift that does not exist for whoever writes.';

create function reversal_refused(words text, rule text) returns void
language plpgsql as $$
begin
  raise exception '%', words using errcode = 'check_violation', constraint = rule, table = 'ua_donations';
end
$$;
comment on function reversal_refused is 'Raises the error of a reversal that is not allowed.';

-- The lock on the gift makes reversals of one gift happen one after another: each sees what is left after the one before.
create function follow_reversed_gift() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  gift ua_donations;
  rest bigint;
begin
  select * into gift from ua_donations where id = new.reverses_donation_id for no key update;
  if gift.reverses_donation_id is not null or gift.status <> 'succeeded' or gift.deleted_at is not null then
    perform reversal_refused('Only a gift that was received can be reversed, and a reversal cannot.', 'ua_donations_reversal_check');
  end if;
  if (coalesce(new.masjid_id, gift.masjid_id), coalesce(new.campaign_id, gift.campaign_id), coalesce(new.currency, gift.currency))
    is distinct from (gift.masjid_id, gift.campaign_id, gift.currency) then
    perform reversal_refused('A reversal has the masjid, campaign and currency of its gift; leave them out.', 'ua_donations_reversal_check');
  end if;
  rest := gift.amount_minor - gift.refunded_minor
    + coalesce((select sum(amount_minor) from ua_donations where reverses_donation_id = gift.id and deleted_at is null), 0);
  if -new.amount_minor > rest then
    perform reversal_refused(format('Only %s of the gift is left to reverse.', rest), 'ua_donations_reversal_within_rest');
  end if;
  new.masjid_id := gift.masjid_id;
  new.campaign_id := gift.campaign_id;
  new.currency := gift.currency;
  new.fund := gift.fund;
  new.method := gift.method;
  new.member_id := gift.member_id;
  new.recurring_donation_id := gift.recurring_donation_id;
  new.is_anonymous := gift.is_anonymous;
  new.donor_name := gift.donor_name;
  new.donor_email := gift.donor_email;
  new.status := 'succeeded';
  new.received_at := coalesce(new.received_at, now());
  return new;
end
$$;
comment on function follow_reversed_gift is 'Takes everything but the amount of a reversal from its gift, and refuses to take back more than is left.';
create trigger check_reversed before insert on ua_donations for each row
  when (new.reverses_donation_id is not null) execute function check_reversed_gift();
create trigger follow_reversed before insert on ua_donations for each row
  when (new.reverses_donation_id is not null) execute function follow_reversed_gift();

-- A gift that was taken back cannot shrink below that, nor a reversal turn into something else.
create function keep_reversed_gift() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  if new.reverses_donation_id is distinct from old.reverses_donation_id then
    perform reversal_refused('What a reversal reverses never changes.', 'ua_donations_reversal_check');
  end if;
  if old.reverses_donation_id is not null and new.amount_minor <> old.amount_minor then
    perform reversal_refused('The amount of a reversal never changes.', 'ua_donations_reversal_check');
  end if;
  if old.reverses_donation_id is null and (new.amount_minor - new.refunded_minor
      + coalesce((select sum(amount_minor) from ua_donations where reverses_donation_id = new.id and deleted_at is null), 0) < 0
    or new.status <> 'succeeded' and exists (select from ua_donations where reverses_donation_id = new.id and deleted_at is null)) then
    perform reversal_refused('More was reversed than would be left of the gift.', 'ua_donations_reversal_within_rest');
  end if;
  return new;
end
$$;
comment on function keep_reversed_gift is 'Keeps gifts and their reversals consistent when rows are changed by SQL.';
create trigger keep_reversed before update on ua_donations for each row
  when ((old.reverses_donation_id, old.amount_minor, old.refunded_minor, old.status)
    is distinct from (new.reverses_donation_id, new.amount_minor, new.refunded_minor, new.status))
  execute function keep_reversed_gift();

-- A gift and its reversals are one giver's affair. In the queue of what is not published yet they are one entry, so that a gift
-- taken back before it was published leaves no trace, and never counts as one of the five.
create function gift_of(donation ua_donations) returns uuid
language sql immutable
begin atomic;
  select coalesce((donation).reverses_donation_id, (donation).id);
end;
comment on function gift_of is E'@hidden\nThe gift that a row gives or takes back.';
create or replace function giver_of(donation ua_donations) returns text
language sql immutable
begin atomic;
  select coalesce(donation.member_id::text, donation.donor_email, donation.donor_name,
    donation.recurring_donation_id::text, donation.reverses_donation_id::text, donation.id::text);
end;

create or replace function count_new_gifts() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  perform count_gifts(array_agg(row(campaign_id, gift, is_listed, giver, difference, received_at)::gift_change))
  from (
    select campaign_id, gift_of(written) as gift, bool_and(is_listed_gift(written)) as is_listed, max(giver_of(written)) as giver,
      sum(net_gift(written))::bigint as difference, max(received_at) as received_at
    from after_change written where campaign_id is not null and net_gift(written) <> 0
    group by campaign_id, gift_of(written)
  ) changes;
  return null;
end
$$;

create or replace function count_changed_gifts() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  perform count_gifts(array_agg(row(campaign_id, gift, is_listed, giver, difference, received_at)::gift_change))
  from (
    select campaign_id, gift, bool_and(is_listed) as is_listed, max(giver) as giver, sum(net)::bigint as difference,
      max(received_at) as received_at
    from (
      select campaign_id, gift_of(written) as gift, is_listed_gift(written) as is_listed, giver_of(written) as giver,
        net_gift(written) as net, received_at
      from after_change written
      union all
      select campaign_id, gift_of(written), is_listed_gift(written), giver_of(written), -net_gift(written), received_at
      from before_change written
    ) both_sides
    where campaign_id is not null group by campaign_id, gift having sum(net) <> 0
  ) changes;
  return null;
end
$$;

create or replace function count_removed_gifts() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  perform count_gifts(array_agg(row(campaign_id, gift, is_listed, giver, difference, received_at)::gift_change))
  from (
    select campaign_id, gift_of(written) as gift, bool_and(is_listed_gift(written)) as is_listed, max(giver_of(written)) as giver,
      -sum(net_gift(written))::bigint as difference, max(received_at) as received_at
    from before_change written where campaign_id is not null and net_gift(written) <> 0
    group by campaign_id, gift_of(written)
  ) changes;
  return null;
end
$$;

-- Only inserting: there is no policy for anything else, no grant, and this in case there ever is one by mistake.
select open_to_writing('ua_donations', 'giving', '{insert}');
select annotate_column('ua_donations', 'refunded_minor', '@preset');
create function refuse_rewriting_gifts() returns trigger
language plpgsql set search_path from current as $$
begin
  if row_security_active(tg_relid) then
    raise exception 'Gifts are only ever added. To correct one, insert a row that reverses it.' using errcode = 'MN003';
  end if;
  return null;
end
$$;
comment on function refuse_rewriting_gifts is 'Refuses to change or delete gifts, except for the owner of the database.';
create trigger refuse_rewriting before update or delete on ua_donations for each statement execute function refuse_rewriting_gifts();

select pin_search_paths();
select watch_writes('ua_donations'), show_history('ua_donations');
