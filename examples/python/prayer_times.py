#!/usr/bin/env python3
"""Prints today's adhan and iqamah of one masjid, using only the standard library.

    python3 examples/python/prayer_times.py --masjid larkspur-lane-masjid

It queries the sandbox. For live data, set MINARET_ENDPOINT and MINARET_KEY.
"""

import argparse
import json
import os
import sys
import urllib.error
import urllib.request

ENDPOINT = os.environ.get(
    "MINARET_ENDPOINT",
    os.environ.get("SANDBOX_URL", "http://localhost:3001") + "/v1/graphql",
)
KEY = os.environ.get("MINARET_KEY")

FIND = """query Find($slug: String!) {
  up_masjids(where: {slug: {_eq: $slug}}) { id name city timezone }
}"""

TODAY = """query Today($id: uuid!) {
  pc_prayer_times_today(args: {masjid_id: $id}) {
    prayer session date adhan_local iqamah_local hijri_year hijri_month hijri_day
  }
}"""


def ask(query, **variables):
    """Sends one query and returns its data; an error ends the program with a one-line message."""
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/graphql-response+json",
    }
    if KEY:
        headers["Authorization"] = "Bearer " + KEY
    body = json.dumps({"query": query, "variables": variables}).encode()
    request = urllib.request.Request(ENDPOINT, body, headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return json.load(response)["data"]
    except urllib.error.HTTPError as refusal:
        error = json.load(refusal)["errors"][0]
        sys.exit("{}: {}".format(error["extensions"]["code"], error["message"]))
    except urllib.error.URLError as fault:
        sys.exit("{} cannot be reached: {}".format(ENDPOINT, fault.reason))


def clock(local):
    """The hour and minute of a local time such as 2026-11-15T05:12:00."""
    return local[11:16] if local else "  –  "


def main():
    parser = argparse.ArgumentParser(description="Today's prayer times of one masjid.")
    parser.add_argument("--masjid", default="larkspur-lane-masjid", help="its slug")
    slug = parser.parse_args().masjid
    masjids = ask(FIND, slug=slug)["up_masjids"]
    if not masjids:
        sys.exit("There is no masjid with the slug " + slug)
    masjid = masjids[0]
    times = ask(TODAY, id=masjid["id"])["pc_prayer_times_today"]
    if not times:
        sys.exit("The times of today are not calculated yet. Try again in a minute.")
    today = times[0]
    print("{}, {} ({})".format(masjid["name"], masjid["city"], masjid["timezone"]))
    print("{date}, hijri {hijri_year}-{hijri_month:02}-{hijri_day:02}".format(**today))
    print()
    print("{:<12} {:>6} {:>7}".format("", "adhan", "iqamah"))
    for time in times:
        name = time["prayer"] if time["session"] == 1 else "{prayer} {session}".format(**time)
        print("{:<12} {:>6} {:>7}".format(name, clock(time["adhan_local"]), clock(time["iqamah_local"])))


if __name__ == "__main__":
    main()
