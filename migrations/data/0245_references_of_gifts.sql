-- Up Migration
-- Gifts get a reference, such as the one on a bank statement: a statement that is imported twice adds nothing the second time.
-- And no card data, ever: texts about gifts may not contain what looks like the number of a payment card.

-- ISO/IEC 7812: 13 to 19 digits, perhaps with blanks or hyphens between them, the last of which is the Luhn check digit.
create function has_card_number(value text) returns boolean
language plpgsql immutable strict parallel safe as $$
declare
  found text;
  digits text;
  total integer;
  digit integer;
begin
  for found in select (regexp_matches(value, '\d(?:[ -]?\d){12,18}', 'g'))[1] loop
    digits := reverse(regexp_replace(found, '\D', '', 'g'));
    total := 0;
    for place in 1..length(digits) loop
      digit := substr(digits, place, 1)::integer * case when place % 2 = 0 then 2 else 1 end;
      total := total + digit / 10 + digit % 10;
    end loop;
    if total % 10 = 0 and digits ~ '[3-6]$' then
      return true;
    end if;
  end loop;
  return false;
end
$$;
comment on function has_card_number is E'@hidden\nWhether a text contains what looks like the number of a payment card.';

alter table ua_donations
  add column reference text check (length(reference) between 1 and 100),
  add constraint ua_donations_no_cards_check check (not has_card_number(coalesce(reference, '') || E'\n' || coalesce(donor_name, '')));
create unique index ua_donations_masjid_id_reference_key on ua_donations (masjid_id, reference)
  where reference is not null and reverses_donation_id is null and deleted_at is null;
comment on column ua_donations.reference is E'@personal\nWhat tells the gift apart at the bank or in the cash book, such as the number of a statement line; unique within the masjid.';
comment on constraint ua_donations_reference_check on ua_donations is 'A reference has 1 to 100 characters.';
comment on constraint ua_donations_no_cards_check on ua_donations is 'Never write down the number of a payment card.';
comment on index ua_donations_masjid_id_reference_key is 'A reference belongs to one gift of the masjid.';
select watch_writes('ua_donations');
