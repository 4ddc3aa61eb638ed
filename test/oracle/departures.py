"""Planned departures and arrivals straight from the raw files of a GTFS feed.

Usage: python3 departures.py FEED.zip

An oracle: it shares nothing with the program that is held to it, neither code nor structure, and is
written for being read next to the GTFS specification, not for speed. Standard library only.

The first line of the output says what the feed holds, for drawing questions:

  {"zone": "Europe/Berlin", "days": [["20201119", 1605740400], ...], "changes": [1616893200, ...],
   "services": {"WKDY": [0, 1, 4], ...}, "calls": [["100", "WKDY", 7, 12], ...]}

`days`: days on which something runs, with their noon minus twelve hours as epoch seconds; `changes`:
moments at which the clock of the zone changes within them; `services`: places in `days`; `calls`:
station, service, hour of the service day, number of departures and arrivals. Then each line of the input is a question

  {"station": "100", "from": 1605740400, "to": 1605744000, "kind": "departures"}

(from inclusive, to exclusive, epoch seconds), and each further line of the output its answer, a list of

  [trip_id, service day, start_time or null, stop_id, stop_sequence, epoch seconds, headway or null,
   route_id, headsign or null]

Rules that the specification leaves open, or that feeds break:
 1. A day both added and removed in calendar_dates.txt is added.
 2. Of rows with the same id (service, route, stop, trip) the first counts; further rows of a service in
    calendar.txt count for nothing.
 3. A call without a time between two that have one is spread evenly by its place in the trip, from the
    departure before to the arrival after, rounded to whole seconds (half up). Calls before the first or
    after the last time are not shown.
 4. Of arrival and departure one that is missing equals the other; an arrival after its departure equals
    the departure.
 5. pickup_type 1 is no departure, drop_off_type 1 no arrival; the last call of a trip is no departure,
    the first no arrival.
 6. Times count from noon minus twelve hours in the zone of the agency.
 7. A trip of frequencies.txt runs from start_time on in whole headways while below end_time, shifted so
    that the departure of its first timed call is that time; its own times are not shown.
    exact_times=1 has no headway in the answer: the times are promised. Of equal rows one counts, and
    rows below 30 seconds do not; a trip that has no others does not run.
 8. Platforms belong to their parent_station, boarding areas to that of their platform; a stop whose
    parent is missing, or cannot have children, is a station of its own.
 9. Rows of unknown trips, routes or stops, and calls at entrances and nodes, are left out. A trip whose
    service is unknown never runs.
10. Calls follow each other by stop_sequence; those of the same one, or of none, as in the file.
11. A headsign has single blanks: neither two in a row nor one at an end.
"""

import csv
import io
import json
import re
import sys
import zipfile
from collections import defaultdict
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
PLATFORM, STATION, ENTRANCE, NODE, BOARDING = "0", "1", "2", "3", "4"
HOUR = 3600


def rows_of(archive, file, columns):
    """Tuples of the cells of these columns; an absent column or cell is empty."""
    names = [name for name in archive.namelist() if name.split("/")[-1] == file]
    if not names:
        return
    with archive.open(min(names, key=len)) as raw:
        text = io.TextIOWrapper(raw, encoding="utf-8-sig", newline="")
        reader = csv.reader(text, skipinitialspace=True)
        header = [cell.strip().lower() for cell in next(reader)]
        places = [header.index(name) if name in header else -1 for name in columns]
        for row in reader:
            if row and not (len(row) == 1 and not row[0].strip()):
                yield tuple(row[at].strip() if 0 <= at < len(row) else "" for at in places)


def to_date(text):
    if not re.fullmatch(r"[0-9]{8}", text):
        return None
    try:
        return date(int(text[:4]), int(text[4:6]), int(text[6:]))
    except ValueError:
        return None


def to_seconds(text):
    found = re.fullmatch(r"([0-9]{1,3}):([0-5][0-9]):([0-5][0-9])", text)
    if found is None:
        return None
    hours, minutes, seconds = map(int, found.groups())
    return hours * 3600 + minutes * 60 + seconds


def days_of_services(archive):
    """Every day on which a service runs, by service."""
    days = defaultdict(set)
    seen = set()
    columns = ["service_id", "start_date", "end_date"] + WEEKDAYS
    for service, start, end, *week in rows_of(archive, "calendar.txt", columns):
        first, last = to_date(start), to_date(end)
        if service in seen or first is None or last is None:
            continue
        seen.add(service)
        day = first
        while day <= last:
            if week[day.weekday()] == "1":
                days[service].add(day)
            day += timedelta(days=1)
    added, removed = [], []
    for service, day, kind in rows_of(
        archive, "calendar_dates.txt", ["service_id", "date", "exception_type"]
    ):
        if to_date(day) is not None:
            {"1": added, "2": removed}.get(kind, []).append((service, to_date(day)))
    for service, day in removed:
        days[service].discard(day)
    for service, day in added:
        days[service].add(day)
    return days


def stations_of_stops(archive):
    """The station that each stop belongs to; None: it belongs to none."""
    stops = {}
    for stop, kind, parent in rows_of(
        archive, "stops.txt", ["stop_id", "location_type", "parent_station"]
    ):
        if stop and stop not in stops:
            stops[stop] = (kind if kind in ("1", "2", "3", "4") else PLATFORM, parent)

    def station_of(stop):
        at, steps = stop, 0
        while True:
            kind, parent = stops[at]
            if kind == STATION or (kind == PLATFORM and not parent):
                return at
            steps += 1
            fits = parent in stops and stops[parent][0] in (PLATFORM, STATION) and steps <= 4
            if not fits:
                return stop if stops[stop][0] == PLATFORM else None
            at = parent

    return {
        stop: None if kind in (ENTRANCE, NODE) else station_of(stop)
        for stop, (kind, _) in stops.items()
    }, {stop for stop, (kind, _) in stops.items() if kind not in (ENTRANCE, NODE)}


def add_times(calls):
    """Arrival and departure of each call of a trip, or None for both, by rules 3 and 4."""
    times = []
    for call in calls:
        arrival, departure = to_seconds(call[2]), to_seconds(call[3])
        if arrival is None:
            arrival = departure
        if departure is None:
            departure = arrival
        if arrival is not None and arrival > departure:
            arrival = departure
        times.append((arrival, departure))
    timed = [i for i, (arrival, _) in enumerate(times) if arrival is not None]
    for before, after in zip(timed, timed[1:]):
        start, end, gaps = times[before][1], times[after][0], after - before
        for i in range(before + 1, after):
            # Half up, in whole numbers.
            time = start + (2 * (end - start) * (i - before) + gaps) // (2 * gaps)
            times[i] = (time, time)
    return times


class Feed:
    def __init__(self, path):
        with zipfile.ZipFile(path) as archive:
            self.read(archive)

    def read(self, archive):
        zones = [zone for (zone,) in rows_of(archive, "agency.txt", ["agency_timezone"]) if zone]
        self.zone = ZoneInfo(zones[0])
        self.days = days_of_services(archive)
        station_of, called_at = stations_of_stops(archive)
        routes = {route for (route,) in rows_of(archive, "routes.txt", ["route_id"]) if route}
        trips = {}
        for trip, route, service, headsign in rows_of(
            archive, "trips.txt", ["trip_id", "route_id", "service_id", "trip_headsign"]
        ):
            if trip and trip not in trips:
                trips[trip] = (route, service, " ".join(headsign.split()))
        self.runs = defaultdict(list)
        for trip, start, end, headway, exact in rows_of(
            archive,
            "frequencies.txt",
            ["trip_id", "start_time", "end_time", "headway_secs", "exact_times"],
        ):
            first, last = to_seconds(start), to_seconds(end)
            if trip in trips and None not in (first, last) and first < last and headway.isdigit():
                run = (first, last, int(headway), exact == "1")
                if int(headway) > 0:
                    runs = self.runs[trip]
                    if int(headway) >= 30 and run not in runs:
                        runs.append(run)
        calls_of = defaultdict(list)
        for number, row in enumerate(
            rows_of(
                archive,
                "stop_times.txt",
                [
                    "trip_id",
                    "stop_sequence",
                    "arrival_time",
                    "departure_time",
                    "stop_id",
                    "pickup_type",
                    "drop_off_type",
                    "stop_headsign",
                ],
            )
        ):
            trip, sequence, stop = row[0], row[1], row[4]
            if trip in trips and trips[trip][0] in routes and stop in called_at:
                place = int(sequence) if sequence.isdigit() else len(calls_of[trip])
                calls_of[trip].append((place, number, *row[2:]))
        self.index(trips, calls_of, station_of)

    def index(self, trips, calls_of, station_of):
        # station -> kind -> service -> calls
        self.calls = defaultdict(lambda: {"departures": defaultdict(list), "arrivals": defaultdict(list)})
        self.latest = 0
        for trip, calls in calls_of.items():
            route, service, headsign = trips[trip]
            calls.sort(key=lambda call: (call[0], call[1]))
            times = add_times(calls)
            started = next((departure for _, departure in times if departure is not None), None)
            for i, (sequence, _, _, _, stop, pickup, drop_off, own_headsign) in enumerate(calls):
                arrival, departure = times[i]
                station = station_of[stop]
                if arrival is None or station is None:
                    continue
                facts = (trip, stop, sequence, route, " ".join(own_headsign.split()) or headsign or None)
                kinds = self.calls[station]
                if i < len(calls) - 1 and pickup != "1":
                    kinds["departures"][service].append((departure, started, facts))
                if i > 0 and drop_off != "1":
                    kinds["arrivals"][service].append((arrival, started, facts))
                shift = max((last - started for _, last, _, _ in self.runs.get(trip, [])), default=0)
                self.latest = max(self.latest, departure + max(0, shift))

    def day_start(self, day):
        noon = datetime(day.year, day.month, day.day, 12, tzinfo=self.zone)
        return int(noon.timestamp()) - 12 * HOUR

    def answer(self, station, from_s, to_s, kind):
        found = []
        # `latest` beyond its day, and a day more on both sides for the zone and its changes.
        day = datetime.fromtimestamp(from_s, self.zone).date() - timedelta(
            days=self.latest // (24 * HOUR) + 2
        )
        last = datetime.fromtimestamp(to_s, self.zone).date() + timedelta(days=1)
        if station not in self.calls:
            return found
        while day <= last:
            start = self.day_start(day)
            for service, calls in self.calls[station][kind].items():
                if day in self.days.get(service, ()):
                    self.add_calls(found, calls, day, start, from_s, to_s)
            day += timedelta(days=1)
        return found

    def add_calls(self, found, calls, day, start, from_s, to_s):
        for time, started, (trip, stop, sequence, route, headsign) in calls:
            for begin, headway in self.starts(trip):
                planned = start + time if begin is None else start + begin + time - started
                if from_s <= planned < to_s:
                    found.append(
                        [trip, f"{day:%Y%m%d}", begin, stop, sequence, planned, headway, route, headsign]
                    )

    def starts(self, trip):
        """Start time and headway of each run; both None for a trip that runs once, as it says."""
        if trip not in self.runs:
            return [(None, None)]
        return [
            (begin, None if exact else headway)
            for first, last, headway, exact in self.runs[trip]
            for begin in range(first, last, headway)
        ]

    def facts(self):
        counts = defaultdict(int)
        for station, kinds in self.calls.items():
            for calls_of_service in kinds.values():
                for service, calls in calls_of_service.items():
                    if self.days.get(service):
                        for time, started, (trip, *_) in calls:
                            for begin, _ in self.starts(trip):
                                at = time if begin is None else begin + time - started
                                counts[station, service, at // HOUR] += 1
        services = sorted({service for _, service, _ in counts})
        days = sorted(set().union(*(self.days[service] for service in services)))
        place = {day: i for i, day in enumerate(days)}
        return {
            "zone": str(self.zone),
            "days": [[f"{day:%Y%m%d}", self.day_start(day)] for day in days],
            "changes": self.changes(days),
            "services": {
                service: sorted(place[day] for day in self.days[service]) for service in services
            },
            "calls": [[*key, count] for key, count in sorted(counts.items())],
        }

    def changes(self, days):
        """Full hours at which the offset of the zone is another than an hour before."""
        if not days:
            return []
        first, last = self.day_start(days[0]), self.day_start(days[-1]) + 48 * HOUR
        hours = range(first // HOUR * HOUR, last, HOUR)
        offsets = [datetime.fromtimestamp(at, self.zone).utcoffset() for at in hours]
        return [at for i, at in enumerate(hours) if i > 0 and offsets[i] != offsets[i - 1]]


def main():
    feed = Feed(sys.argv[1])
    print(json.dumps(feed.facts()), flush=True)
    for line in sys.stdin:
        question = json.loads(line)
        print(json.dumps(feed.answer(question["station"], question["from"], question["to"], question["kind"])))


main()
