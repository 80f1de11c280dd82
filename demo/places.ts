/** City centres that invented masjids are strewn around: real places, so that distances and zones make sense. */

export type Place = {
  readonly city: string
  readonly state: string
  readonly country: 'US' | 'CA' | 'GB'
  readonly latitude: number
  readonly longitude: number
  readonly timezone: string
  readonly postalCode: string
}

const eastern = 'America/New_York'
const central = 'America/Chicago'
const mountain = 'America/Denver'
const pacific = 'America/Los_Angeles'
const ontario = 'America/Toronto'
const london = 'Europe/London'

type Line = readonly [
  city: string,
  state: string,
  latitude: number,
  longitude: number,
  timezone: string,
  postal: string,
]

// Phoenix, Honolulu and Anchorage stand first among those of awkward zones: no daylight time, UTC-10, Alaska.
const unitedStates: readonly Line[] = [
  ['Raleigh', 'NC', 35.7796, -78.6382, eastern, '27601'],
  ['Phoenix', 'AZ', 33.4484, -112.074, 'America/Phoenix', '85003'],
  ['Honolulu', 'HI', 21.3069, -157.8583, 'Pacific/Honolulu', '96813'],
  ['Anchorage', 'AK', 61.2181, -149.9003, 'America/Anchorage', '99501'],
  ['Indianapolis', 'IN', 39.7684, -86.1581, 'America/Indiana/Indianapolis', '46204'],
  ['Boise', 'ID', 43.615, -116.2023, 'America/Boise', '83702'],
  ['Detroit', 'MI', 42.3314, -83.0458, 'America/Detroit', '48226'],
  ['Louisville', 'KY', 38.2527, -85.7585, 'America/Kentucky/Louisville', '40202'],
  ['New York', 'NY', 40.7128, -74.006, eastern, '10007'],
  ['Boston', 'MA', 42.3601, -71.0589, eastern, '02108'],
  ['Philadelphia', 'PA', 39.9526, -75.1652, eastern, '19107'],
  ['Atlanta', 'GA', 33.749, -84.388, eastern, '30303'],
  ['Miami', 'FL', 25.7617, -80.1918, eastern, '33130'],
  ['Charlotte', 'NC', 35.2271, -80.8431, eastern, '28202'],
  ['Columbus', 'OH', 39.9612, -82.9988, eastern, '43215'],
  ['Buffalo', 'NY', 42.8864, -78.8784, eastern, '14202'],
  ['Richmond', 'VA', 37.5407, -77.436, eastern, '23219'],
  ['Chicago', 'IL', 41.8781, -87.6298, central, '60602'],
  ['Houston', 'TX', 29.7604, -95.3698, central, '77002'],
  ['Dallas', 'TX', 32.7767, -96.797, central, '75201'],
  ['Austin', 'TX', 30.2672, -97.7431, central, '78701'],
  ['Minneapolis', 'MN', 44.9778, -93.265, central, '55401'],
  ['Milwaukee', 'WI', 43.0389, -87.9065, central, '53202'],
  ['Saint Louis', 'MO', 38.627, -90.1994, central, '63101'],
  ['New Orleans', 'LA', 29.9511, -90.0715, central, '70112'],
  ['Nashville', 'TN', 36.1627, -86.7816, central, '37203'],
  ['Oklahoma City', 'OK', 35.4676, -97.5164, central, '73102'],
  ['Denver', 'CO', 39.7392, -104.9903, mountain, '80202'],
  ['Salt Lake City', 'UT', 40.7608, -111.891, mountain, '84111'],
  ['Albuquerque', 'NM', 35.0844, -106.6504, mountain, '87102'],
  ['Los Angeles', 'CA', 34.0522, -118.2437, pacific, '90012'],
  ['San Diego', 'CA', 32.7157, -117.1611, pacific, '92101'],
  ['San José', 'CA', 37.3382, -121.8863, pacific, '95113'],
  ['Sacramento', 'CA', 38.5816, -121.4944, pacific, '95814'],
  ['Portland', 'OR', 45.5152, -122.6784, pacific, '97204'],
  ['Seattle', 'WA', 47.6062, -122.3321, pacific, '98104'],
  ['Las Vegas', 'NV', 36.1699, -115.1398, pacific, '89101'],
  ['Durham', 'NC', 35.994, -78.8986, eastern, '27701'],
  ['Pittsburgh', 'PA', 40.4406, -79.9959, eastern, '15219'],
  ['Tampa', 'FL', 27.9506, -82.4572, eastern, '33602'],
]

const canada: readonly Line[] = [
  ['Regina', 'SK', 50.4452, -104.6189, 'America/Regina', 'S4P 0A1'],
  ['St. John’s', 'NL', 47.5615, -52.7126, 'America/St_Johns', 'A1C 0A1'],
  ['Inuvik', 'NT', 68.3607, -133.723, 'America/Inuvik', 'X0E 0A1'],
  ['Toronto', 'ON', 43.6532, -79.3832, ontario, 'M5H 0A1'],
  ['Montréal', 'QC', 45.5019, -73.5674, ontario, 'H2Y 0A1'],
  ['Québec', 'QC', 46.8139, -71.208, ontario, 'G1R 0A1'],
  ['Ottawa', 'ON', 45.4215, -75.6972, ontario, 'K1P 0A1'],
  ['Winnipeg', 'MB', 49.8951, -97.1384, 'America/Winnipeg', 'R3B 0A1'],
  ['Calgary', 'AB', 51.0447, -114.0719, 'America/Edmonton', 'T2P 0A1'],
  ['Edmonton', 'AB', 53.5461, -113.4938, 'America/Edmonton', 'T5J 0A1'],
  ['Vancouver', 'BC', 49.2827, -123.1207, 'America/Vancouver', 'V6B 0A1'],
  ['Halifax', 'NS', 44.6488, -63.5752, 'America/Halifax', 'B3J 0A1'],
]

const unitedKingdom: readonly Line[] = [
  ['Lerwick', 'Scotland', 60.155, -1.145, london, 'ZE1 0AA'],
  ['London', 'England', 51.5074, -0.1278, london, 'EC1A 1AA'],
  ['Birmingham', 'England', 52.4862, -1.8904, london, 'B1 1AA'],
  ['Manchester', 'England', 53.4808, -2.2426, london, 'M1 1AA'],
  ['Leeds', 'England', 53.8008, -1.5491, london, 'LS1 1AA'],
  ['Bradford', 'England', 53.796, -1.7594, london, 'BD1 1AA'],
  ['Leicester', 'England', 52.6369, -1.1398, london, 'LE1 1AA'],
  ['Glasgow', 'Scotland', 55.8642, -4.2518, london, 'G1 1AA'],
  ['Edinburgh', 'Scotland', 55.9533, -3.1883, london, 'EH1 1AA'],
  ['Cardiff', 'Wales', 51.4816, -3.1791, london, 'CF10 1AA'],
  ['Belfast', 'Northern Ireland', 54.5973, -5.9301, london, 'BT1 1AA'],
]

const read =
  (country: Place['country']) =>
  (line: Line): Place => {
    const [city, state, latitude, longitude, timezone, postalCode] = line
    return { city, state, country, latitude, longitude, timezone, postalCode }
  }

/** How many masjids each country has: the lists of its places are gone through again and again. */
export const countries: readonly { readonly count: number; readonly places: readonly Place[] }[] = [
  { count: 80, places: unitedStates.map(read('US')) },
  { count: 20, places: canada.map(read('CA')) },
  { count: 20, places: unitedKingdom.map(read('GB')) },
]
