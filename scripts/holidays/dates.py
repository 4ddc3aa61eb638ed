"""Writes the holidays of regions that the package `holidays` knows, as JSON (scripts/holidays.ts)."""

import json
import sys

import holidays

version, first, last, countries = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4].split(",")
if holidays.__version__ != version:
    sys.exit(f"holidays {version} is needed, this is {holidays.__version__}")

# What a category says of a region: that it is kept, or that it may be.
SURE = {"public"}
LEFT_OUT = {"school", "unofficial", "workday"}

found = []
for country in countries:
    kind = getattr(holidays, country)
    for region in kind.subdivisions or ("",):
        for category in kind.supported_categories:
            if category in LEFT_OUT:
                continue
            days = holidays.country_holidays(
                country,
                subdiv=region or None,
                years=range(first, last + 1),
                categories=category,
                observed=False,
                language="en_US" if "en_US" in kind.supported_languages else None,
            )
            for date, names in days.items():
                for name in names.split("; "):
                    found.append([country, region, category in SURE, name, date.isoformat()])
json.dump(found, sys.stdout)
