-- Up Migration
-- Closed lists of words. They are PostgreSQL enums, so that the API shows them as GraphQL enums.

create type up_entity_kind as enum ('nonprofit', 'school', 'umbrella', 'trust');
comment on type up_entity_kind is 'What kind of legal body an entity is.';

create type up_verification as enum ('unverified', 'pending', 'verified', 'disputed');
comment on type up_verification is 'Whether somebody has checked that a masjid exists and that its details are right.';

create type up_facility as enum (
  'women_space', 'wudu', 'parking', 'wheelchair', 'janazah', 'children_classes', 'full_time_school', 'library',
  'kitchen', 'multipurpose_hall', 'nursing_room', 'food_bank', 'counselling', 'hearing_loop', 'ev_charging'
);
comment on type up_facility is 'What a masjid offers to those who come.';

create type up_event_category as enum (
  'lecture', 'class', 'halaqah', 'quran', 'youth', 'family', 'fundraiser', 'iftar', 'community_service', 'interfaith',
  'sports', 'nikah', 'janazah', 'meeting', 'other'
);
comment on type up_event_category is 'What an event is about.';

create type up_event_audience as enum ('everyone', 'men', 'women', 'youth', 'children', 'families', 'converts', 'seniors');
comment on type up_event_audience is 'Whom an event is meant for.';

create type up_event_mode as enum ('in_person', 'online', 'hybrid');
comment on type up_event_mode is 'Whether people come to an event, join it online, or may do either.';

create type up_event_status as enum ('scheduled', 'postponed', 'cancelled');
comment on type up_event_status is 'Whether an event, or one occurrence of it, takes place.';

create type up_rsvp_status as enum ('going', 'maybe', 'declined', 'waitlisted', 'attended');
comment on type up_rsvp_status is 'A person''s answer to an event; waitlisted: wants to come, but there is no place yet.';

create type ua_member_role as enum ('member', 'volunteer', 'imam', 'board', 'admin');
comment on type ua_member_role is 'A person''s role at a masjid. Board and admin may see the masjid''s people and gifts.';

create type ua_member_status as enum ('pending', 'active', 'inactive', 'deceased');
comment on type ua_member_status is 'Whether a membership is in force.';

create type ua_fund as enum ('general', 'zakat', 'zakat_al_fitr', 'sadaqah', 'waqf', 'building', 'education');
comment on type ua_fund is
  'The purpose a gift is bound to. Zakat is restricted money: never add gifts of different funds together.';

create type ua_payment_method as enum ('card', 'bank_transfer', 'direct_debit', 'wallet', 'cheque', 'cash');
comment on type ua_payment_method is 'How a gift was paid.';

create type ua_donation_status as enum ('pending', 'succeeded', 'failed', 'refunded');
comment on type ua_donation_status is
  'What became of a payment. A gift given back in part stays succeeded; its refunded_minor says how much.';

create type ua_campaign_status as enum ('planned', 'active', 'completed', 'cancelled');
comment on type ua_campaign_status is 'Where a campaign stands.';

create type ua_recurrence as enum ('weekly', 'monthly', 'quarterly', 'yearly');
comment on type ua_recurrence is 'How often a recurring gift is given.';

create type ua_recurring_status as enum ('active', 'paused', 'cancelled', 'completed');
comment on type ua_recurring_status is 'Whether a recurring gift goes on.';

create type pc_prayer as enum (
  'fajr', 'dhuhr', 'asr', 'maghrib', 'isha', 'jumuah', 'taraweeh', 'eid_fitr', 'eid_adha'
);
comment on type pc_prayer is 'The prayers held in congregation: the five of each day, Jumu''ah, Taraweeh and the two Eids.';

-- The names of the adhan library. Its "Other" is left out: without angles of its own it gives no true times.
create type pc_calculation_method as enum (
  'MuslimWorldLeague', 'Egyptian', 'Karachi', 'UmmAlQura', 'Dubai', 'MoonsightingCommittee', 'NorthAmerica',
  'Kuwait', 'Qatar', 'Singapore', 'Tehran', 'Turkey'
);
comment on type pc_calculation_method is 'The convention (angles of Fajr and Isha) by which times are calculated.';

create type pc_madhab as enum ('shafi', 'hanafi');
comment on type pc_madhab is 'The school that decides when Asr begins: shafi (also Maliki and Hanbali) or the later hanafi.';

create type pc_high_latitude_rule as enum ('middle_of_the_night', 'seventh_of_the_night', 'twilight_angle');
comment on type pc_high_latitude_rule is 'How Fajr and Isha are bounded where twilight lasts all night.';

create type pc_source_kind as enum ('calculated', 'manual', 'uploaded', 'ical', 'api');
comment on type pc_source_kind is 'Where prayer times come from.';

create type pc_iqamah_rule as enum ('fixed', 'offset', 'rounded_offset');
comment on type pc_iqamah_rule is
  'How an iqamah is found: at a fixed local time; minutes after the adhan; or minutes after it, rounded up to a step.';

create type pc_season as enum ('all_year', 'ramadan', 'outside_ramadan', 'daylight_time', 'standard_time');
comment on type pc_season is
  'The part of the year a rule holds for: all of it, Ramadan, the rest, while clocks are ahead, or while they are not.';
