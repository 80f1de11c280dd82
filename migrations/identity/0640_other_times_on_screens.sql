-- Up Migration
-- A screen may show imsak and the parts of the night besides the prayers.
create or replace function are_screen_settings(settings jsonb) returns boolean language sql immutable as $$
  select jsonb_typeof(settings) = 'object'
    and settings - '{language,clock,type,ground,accent,logo,dark_minutes,other_times}'::text[] = '{}'
    and coalesce(settings ->> 'language' in ('en', 'ar', 'en-ar', 'ar-en'), true)
    and coalesce(settings ->> 'clock' in ('24', '12'), true)
    and coalesce(settings ->> 'type' in ('normal', 'large'), true)
    and coalesce(settings ->> 'ground' ~ '^#[0-9a-f]{6}$', true)
    and coalesce(settings ->> 'accent' ~ '^#[0-9a-f]{6}$', true)
    and coalesce(settings ->> 'logo' ~ '^https://' and length(settings ->> 'logo') <= 2000, true)
    and coalesce((settings ->> 'dark_minutes')::int between 0 and 60, true)
    and coalesce(settings ->> 'other_times' in ('none', 'imsak', 'night'), true)
$$;
