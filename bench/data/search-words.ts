// Masjids that were loaded without triggers → found by searching.
import type { Step } from './tables.ts'

export const searchWords: Step = {
  title: 'what searching compares',
  statement: `
do $$
declare
  slice uuid[];
begin
  for slice in select array_agg(id) from (select id, row_number() over (order by id) / 20000 as part from up_masjids) numbered group by part loop
    perform write_masjid_words(slice);
  end loop;
end
$$`,
}
