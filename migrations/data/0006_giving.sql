-- Up Migration
-- Giving. Amounts are whole numbers of the currency's smallest unit (cents, pence).

create table ua_campaigns (
  id uuid primary key default gen_random_uuid(),
  masjid_id uuid not null references up_masjids,
  title text not null check (title <> '' and length(title) <= 200),
  description text not null default '',
  fund ua_fund not null default 'general',
  goal_minor bigint check (goal_minor > 0),
  raised_minor bigint not null default 0 check (raised_minor >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  starts_on date not null default current_date,
  ends_on date,
  status ua_campaign_status not null default 'active',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint ua_campaigns_id_masjid_id_currency_key unique (id, masjid_id, currency),
  constraint ua_campaigns_dates_check check (ends_on >= starts_on)
);
create index on ua_campaigns (masjid_id, starts_on);
create index on ua_campaigns (status);
select adopt_table('ua_campaigns');

comment on table ua_campaigns is E'@scope donations:read\n@soft_delete deleted_at\n@user_rows masjid_id member_masjids\nWhat a masjid collects for, and how far it has come. Names nobody.';
comment on column ua_campaigns.masjid_id is 'The masjid that collects.';
comment on column ua_campaigns.title is 'Title.';
comment on column ua_campaigns.description is 'What it is for, in plain text.';
comment on column ua_campaigns.fund is 'The fund the money goes to.';
comment on column ua_campaigns.goal_minor is 'The goal in the currency''s smallest unit; null: none.';
comment on column ua_campaigns.raised_minor is 'What has been received, less what was given back, in the currency''s smallest unit.';
comment on column ua_campaigns.currency is 'Currency, ISO 4217.';
comment on column ua_campaigns.starts_on is 'First day.';
comment on column ua_campaigns.ends_on is 'Last day; null: open.';
comment on column ua_campaigns.status is 'Where the campaign stands.';

create table ua_recurring_donations (
  id uuid primary key default gen_random_uuid(),
  masjid_id uuid not null references up_masjids,
  member_id uuid not null,
  campaign_id uuid,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  fund ua_fund not null default 'general',
  method ua_payment_method not null default 'card',
  recurrence ua_recurrence not null default 'monthly',
  starts_on date not null default current_date,
  ends_on date,
  next_on date,
  status ua_recurring_status not null default 'active',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint ua_recurring_donations_id_masjid_id_key unique (id, masjid_id),
  constraint ua_recurring_donations_member_fkey foreign key (member_id, masjid_id)
    references ua_members (id, masjid_id) on delete cascade,
  constraint ua_recurring_donations_campaign_fkey foreign key (campaign_id, masjid_id, currency)
    references ua_campaigns (id, masjid_id, currency),
  constraint ua_recurring_donations_dates_check check (ends_on >= starts_on and next_on >= starts_on),
  constraint ua_recurring_donations_next_on_check check ((status = 'active') = (next_on is not null))
);
create index on ua_recurring_donations (masjid_id, next_on);
create index on ua_recurring_donations (member_id);
create index on ua_recurring_donations (campaign_id);
select adopt_table('ua_recurring_donations');

comment on table ua_recurring_donations is E'@scope donations:read\n@personal member_id\n@soft_delete deleted_at\n@user_rows member_id own_members, masjid_id masjids_in_full\nGifts that members mean to give again and again. Intent, not payment: what was paid is in ua_donations.';
comment on column ua_recurring_donations.masjid_id is 'The masjid that receives.';
comment on column ua_recurring_donations.member_id is 'The member who gives.';
comment on column ua_recurring_donations.campaign_id is 'The campaign it is for, if any.';
comment on column ua_recurring_donations.amount_minor is 'Each gift in the currency''s smallest unit.';
comment on column ua_recurring_donations.currency is 'Currency, ISO 4217.';
comment on column ua_recurring_donations.fund is 'The fund the money is bound to.';
comment on column ua_recurring_donations.method is 'How it is paid.';
comment on column ua_recurring_donations.recurrence is 'How often.';
comment on column ua_recurring_donations.starts_on is 'Day of the first gift.';
comment on column ua_recurring_donations.ends_on is 'Day of the last gift; null: until cancelled.';
comment on column ua_recurring_donations.next_on is 'Day of the next gift; null when it does not go on.';
comment on column ua_recurring_donations.status is 'Whether it goes on.';
comment on constraint ua_recurring_donations_member_fkey on ua_recurring_donations is E'@object member\n@array recurring_donations\nThe member who gives.';
comment on constraint ua_recurring_donations_campaign_fkey on ua_recurring_donations is E'@object campaign\n@array recurring_donations\nThe campaign a recurring gift is for.';

create table ua_donations (
  id uuid primary key default gen_random_uuid(),
  masjid_id uuid not null references up_masjids,
  campaign_id uuid,
  member_id uuid,
  recurring_donation_id uuid,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  fee_minor bigint not null default 0 check (fee_minor >= 0),
  refunded_minor bigint not null default 0 check (refunded_minor >= 0),
  fund ua_fund not null default 'general',
  method ua_payment_method not null,
  status ua_donation_status not null default 'pending',
  is_anonymous boolean not null default false,
  donor_name text check (donor_name <> '' and length(donor_name) <= 200),
  donor_email text check (is_email(donor_email)),
  received_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint ua_donations_member_fkey foreign key (member_id, masjid_id)
    references ua_members (id, masjid_id) on delete set null (member_id),
  constraint ua_donations_campaign_fkey foreign key (campaign_id, masjid_id, currency)
    references ua_campaigns (id, masjid_id, currency),
  constraint ua_donations_recurring_donation_fkey foreign key (recurring_donation_id, masjid_id)
    references ua_recurring_donations (id, masjid_id) on delete set null (recurring_donation_id),
  constraint ua_donations_fee_within_amount check (fee_minor <= amount_minor),
  constraint ua_donations_refund_within_amount check (refunded_minor <= amount_minor),
  constraint ua_donations_refund_status_check check (
    case status when 'refunded' then refunded_minor = amount_minor
    when 'succeeded' then refunded_minor < amount_minor else refunded_minor = 0 end),
  constraint ua_donations_received_at_check check (status in ('pending', 'failed') or received_at is not null),
  constraint ua_donations_anonymous_check check (
    not is_anonymous or num_nonnulls(donor_name, donor_email, member_id, recurring_donation_id) = 0)
);
create index on ua_donations (masjid_id, received_at);
create index on ua_donations (masjid_id, fund);
create index on ua_donations (member_id);
create index on ua_donations (campaign_id);
create index on ua_donations (recurring_donation_id);
create index on ua_donations (received_at, id);
select adopt_table('ua_donations');

comment on table ua_donations is E'@scope donations:read\n@personal member_id donor_email\n@soft_delete deleted_at\n@user_rows member_id own_members, masjid_id masjids_in_full\nGifts received. Zakat is restricted money: always total by fund and by currency.';
comment on column ua_donations.masjid_id is 'The masjid that received it.';
comment on column ua_donations.campaign_id is 'The campaign it was given to, if any.';
comment on column ua_donations.member_id is 'The member who gave; null for a guest or an anonymous gift.';
comment on column ua_donations.recurring_donation_id is 'The recurring gift it was paid for, if any.';
comment on column ua_donations.amount_minor is 'The amount in the currency''s smallest unit.';
comment on column ua_donations.currency is 'Currency, ISO 4217.';
comment on column ua_donations.fee_minor is 'What the payment cost, in the currency''s smallest unit.';
comment on column ua_donations.refunded_minor is 'What was given back, in the currency''s smallest unit.';
comment on column ua_donations.fund is 'The fund the money is bound to.';
comment on column ua_donations.method is 'How it was paid.';
comment on column ua_donations.status is 'What became of the payment.';
comment on column ua_donations.is_anonymous is 'Whether the giver wishes not to be named; then no name, e-mail or member stands in the row.';
comment on column ua_donations.donor_name is 'The name a guest gave.';
comment on column ua_donations.donor_email is 'The e-mail address a guest gave, in small letters.';
comment on column ua_donations.received_at is 'When the money was received; null while pending or when it failed.';
comment on constraint ua_donations_member_fkey on ua_donations is E'@object member\n@array donations\nThe member who gave.';
comment on constraint ua_donations_campaign_fkey on ua_donations is E'@object campaign\n@array donations\nThe campaign a gift was given to.';
comment on constraint ua_donations_recurring_donation_fkey on ua_donations is E'@object recurring_donation\n@array donations\nThe recurring gift it was paid for.';

-- raised_minor follows the gifts by difference, not by summing anew: two gifts committed at once are both counted.
create function apply_campaign_difference(campaign uuid, difference bigint) returns void
language sql set search_path from current
begin atomic;
  update ua_campaigns set raised_minor = raised_minor + difference where id = campaign and difference <> 0;
end;
comment on function apply_campaign_difference is 'Adds to what a campaign has raised.';

create function net_gift(donation ua_donations) returns bigint
language sql immutable
begin atomic;
  select case when donation.status in ('succeeded', 'refunded') and donation.deleted_at is null
    then donation.amount_minor - donation.refunded_minor else 0 end;
end;
comment on function net_gift is 'What a gift adds to its campaign: the amount received less what was given back.';

create function count_new_gifts() returns trigger
language plpgsql set search_path from current as $$
begin
  perform apply_campaign_difference(campaign_id, sum(net_gift(gift))::bigint)
  from after_change gift where campaign_id is not null group by campaign_id order by campaign_id;
  return null;
end
$$;
comment on function count_new_gifts is 'Adds new gifts to their campaigns.';

create function count_changed_gifts() returns trigger
language plpgsql set search_path from current as $$
begin
  perform apply_campaign_difference(campaign_id, sum(difference)::bigint)
  from (
    select campaign_id, net_gift(gift) as difference from after_change gift
    union all
    select campaign_id, -net_gift(gift) from before_change gift
  ) changes
  where campaign_id is not null group by campaign_id order by campaign_id;
  return null;
end
$$;
comment on function count_changed_gifts is 'Moves the difference of changed gifts to their campaigns.';

create function count_removed_gifts() returns trigger
language plpgsql set search_path from current as $$
begin
  perform apply_campaign_difference(campaign_id, -sum(net_gift(gift))::bigint)
  from before_change gift where campaign_id is not null group by campaign_id order by campaign_id;
  return null;
end
$$;
comment on function count_removed_gifts is 'Takes removed gifts out of their campaigns.';

create trigger count_new_gifts after insert on ua_donations
  referencing new table as after_change for each statement execute function count_new_gifts();
create trigger count_changed_gifts after update on ua_donations
  referencing old table as before_change new table as after_change
  for each statement execute function count_changed_gifts();
create trigger count_removed_gifts after delete on ua_donations
  referencing old table as before_change for each statement execute function count_removed_gifts();
