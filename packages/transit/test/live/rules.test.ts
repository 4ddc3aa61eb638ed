/** The rules of the page departures.md, case by case. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { indexFeed } from "../../live/feed-index.ts";
import type { Json } from "../../../../sandbox/gtfs-rt/encode.ts";
import {
  listDepartures,
  at,
  listOf,
  s,
  shown,
  tableOf,
  timetableOf,
  updateOf,
} from "../../../../test/support/live.ts";

const FIVE = [
  "10 A1 08:00:00 08:00:00",
  "20 B 08:10:00 08:11:00",
  "30 C 08:20:00 08:20:00",
  "40 D 08:30:00 08:30:00",
  "50 E 08:40:00 08:40:00",
];
const LINE = timetableOf([
  { id: "T", calls: FIVE },
  { id: "U", calls: ["1 A2 20:00:00 20:00:00", "2 B 20:10:00 20:10:00"], route: "R2" },
]);
const T = { tripId: "T", startDate: "20261125" };
const NOW = at("07:55");

/** What is shown of trip T at each stop, as departures from A to D and as the arrival at E. */
function along(stops: readonly Json[], more: object = {}, trip: Json = T): string {
  const live = tableOf(LINE, { at_ms: NOW, entities: [updateOf(trip, stops, more)] });
  const query = { from_ms: at("06:00"), to_ms: at("12:00"), now_ms: NOW };
  const departures = ["A", "B", "C", "D"].flatMap((stop) => listOf(LINE, live, stop, query));
  const arrivals = listOf(LINE, live, "E", { ...query, kind: "arrivals" });
  return [...departures, ...arrivals]
    .map((each) =>
      each.status === "scheduled"
        ? (each.delay_s ?? (each.realtime === "unknown" ? "?" : each.realtime))
        : each.status,
    )
    .join(" ");
}

describe("Propagation", () => {
  /** Updates, and the delays at A B C D (departures) and E (arrival); ? unknown. */
  const CASES: readonly [what: string, stops: Json[], expected: string, more?: object][] = [
    [
      "a delay holds until the next one",
      [
        { stopSequence: 10, departure: { delay: 300 } },
        { stopSequence: 30, departure: { delay: 60 } },
      ],
      "300 300 60 60 60",
    ],
    [
      "no delay is known before the first one",
      [{ stopSequence: 30, departure: { delay: 60 } }],
      "? ? 60 60 60",
    ],
    ["on time is a delay of zero", [{ stopSequence: 10, departure: { delay: 0 } }], "0 0 0 0 0"],
    [
      "a delay of unspecified duration ends what was known",
      [{ stopSequence: 10, departure: { delay: 300 } }, { stopSequence: 30 }],
      "300 300 ? ? ?",
    ],
    [
      "an event without a value ends it, too",
      [
        { stopSequence: 10, departure: { delay: 300 } },
        { stopSequence: 20, arrival: { delay: 10 }, departure: {} },
      ],
      "300 ? ? ? ?",
    ],
    [
      "a delay goes over a skipped call",
      [
        { stopSequence: 10, departure: { delay: 300 } },
        { stopSequence: 20, scheduleRelationship: "SKIPPED", departure: { delay: 5 } },
      ],
      "300 skipped 300 300 300",
    ],
    [
      "a delay does not go past NO_DATA",
      [
        { stopSequence: 10, departure: { delay: 300 } },
        { stopSequence: 20, scheduleRelationship: "NO_DATA" },
        { stopSequence: 40, departure: { delay: 20 } },
      ],
      "300 ? ? 20 20",
    ],
    [
      "nor past a relation that is not known",
      [
        { stopSequence: 10, departure: { delay: 300 } },
        { stopSequence: 20, scheduleRelationship: 9, departure: { delay: 1 } },
      ],
      "300 ? ? ? ?",
    ],
    [
      "a departure falls back to the arrival",
      [{ stopSequence: 20, arrival: { delay: 90 } }],
      "? 90 90 90 90",
    ],
    [
      "an early arrival is an early departure",
      [{ stopSequence: 20, arrival: { delay: -30 } }],
      "? -30 -30 -30 -30",
    ],
    [
      "a time counts more than a delay",
      [{ stopSequence: 20, departure: { time: s("08:13"), delay: 5 } }],
      "? 120 120 120 120",
    ],
    ["the delay of the run holds where no stop has one", [], "45 45 45 45 45", { delay: 45 }],
    [
      "and until a stop has one",
      [{ stopSequence: 30, departure: { delay: 60 } }],
      "45 45 60 60 60",
      { delay: 45 },
    ],
    [
      "a time of zero leaves the call unknown",
      [
        { stopSequence: 10, departure: { delay: 300 } },
        { stopSequence: 20, departure: { time: 0, delay: 0 } },
      ],
      "300 ? ? ? ?",
    ],
    [
      "a time more than a day off leaves it unknown",
      [{ stopSequence: 20, departure: { time: s("08:12", "2026-11-26") } }],
      "? ? ? ? ?",
    ],
    [
      "a delay of more than a day, too",
      [{ stopSequence: 20, departure: { delay: 90_000 } }],
      "? ? ? ? ?",
    ],
    [
      "times that go backwards stay as they are stated",
      [
        { stopSequence: 20, departure: { time: s("08:20") } },
        { stopSequence: 30, departure: { time: s("08:15") } },
      ],
      "? 540 -300 -300 -300",
    ],
    [
      "updates out of order are placed by their sequences",
      [
        { stopSequence: 30, departure: { delay: 60 } },
        { stopSequence: 10, departure: { delay: 300 } },
      ],
      "300 300 60 60 60",
    ],
  ];
  for (const [what, stops, expected, more] of CASES)
    test(what, () => assert.equal(along(stops, more), expected));

  test("an arrival is not known from the departure alone", () => {
    const live = tableOf(LINE, {
      at_ms: NOW,
      entities: [updateOf(T, [{ stopSequence: 20, departure: { delay: 60 } }])],
    });
    const arrivals = (stop: string) =>
      listOf(LINE, live, stop, { from_ms: NOW, kind: "arrivals" }).map(shown);
    assert.deepEqual(arrivals("B"), ["08:10 unknown scheduled T"]);
    assert.deepEqual(arrivals("C"), ["08:20+60 live scheduled T"]);
  });
});

describe("Identity of a call", () => {
  const LOOP = timetableOf([
    {
      id: "L",
      calls: [
        "1 A1 08:00:00 08:00:00",
        "2 B 08:10:00 08:10:00",
        "3 C 08:20:00 08:20:00",
        "4 B 08:30:00 08:30:00",
        "5 D 08:40:00 08:40:00",
      ],
    },
  ]);
  const boardOf = (stops: readonly Json[]): string[] => {
    const entities = [updateOf({ tripId: "L", startDate: "20261125" }, stops)];
    return listOf(LOOP, tableOf(LOOP, { at_ms: NOW, entities }), "B", { from_ms: NOW }).map(shown);
  };

  test("two visits of a stop differ by their sequences", () => {
    assert.deepEqual(boardOf([{ stopSequence: 4, stopId: "B", departure: { delay: 60 } }]), [
      "08:10 unknown scheduled L",
      "08:30+60 live scheduled L",
    ]);
  });

  test("a stop that is visited twice is not named by its id alone", () => {
    const expected = ["08:10 unknown scheduled L", "08:30 unknown scheduled L"];
    assert.deepEqual(boardOf([{ stopId: "B", departure: { delay: 60 } }]), expected);
  });

  test("except where one visit is left behind the last update", () => {
    const stops = [
      { stopId: "C", departure: { delay: 30 } },
      { stopId: "B", departure: { delay: 60 } },
    ];
    assert.deepEqual(boardOf(stops), ["08:10 unknown scheduled L", "08:30+60 live scheduled L"]);
  });

  test("the id of a stop that is visited once will do, also where the sequence is another's", () => {
    assert.equal(along([{ stopId: "B", departure: { delay: 60 } }]), "? 60 60 60 60");
    assert.equal(
      along([{ stopSequence: 7, stopId: "B", departure: { delay: 60 } }]),
      "? 60 60 60 60",
    );
    assert.equal(
      along([{ stopSequence: 30, stopId: "B", departure: { delay: 60 } }]),
      "? 60 60 60 60",
    );
  });

  test("a call that is not known, or has no name, changes nothing", () => {
    const stops = [
      { stopSequence: 10, departure: { delay: 30 } },
      { stopSequence: 21, departure: { delay: 60 } },
      { stopId: "Z", departure: { delay: 60 } },
      { departure: { delay: 60 } },
    ];
    assert.equal(along(stops), "30 30 30 30 30");
    const live = tableOf(LINE, { at_ms: NOW, entities: [updateOf(T, stops)] });
    assert.deepEqual(
      live.meta.trail.dropped.map(({ reason }) => reason),
      ["call_without_name", "unknown_sequence", "unknown_stop"],
    );
  });

  test("another platform of the station is where the vehicle calls", () => {
    for (const stop of [
      { stopSequence: 10, stopTimeProperties: { assignedStopId: "A2" } },
      { stopSequence: 10, stopId: "A2" },
    ]) {
      const update = updateOf(T, [{ ...stop, departure: { delay: 0 } }]);
      const live = tableOf(LINE, { at_ms: NOW, entities: [update] });
      const [match] = listOf(LINE, live, "A", { from_ms: NOW });
      assert.equal(match!.stop_id, "A2");
      assert.deepEqual(match!.platform, { planned: "1", live: "2" });
    }
    const live = tableOf(LINE, {
      at_ms: NOW,
      entities: [updateOf(T, [{ stopSequence: 10, stopId: "A1", departure: { delay: 0 } }])],
    });
    const [result] = listOf(LINE, live, "A", { from_ms: NOW });
    assert.deepEqual(result!.platform, { planned: "1", live: null });
  });
});

describe("Identity of a run", () => {
  const NIGHT = timetableOf([
    {
      id: "N",
      calls: ["1 A1 23:50:00 23:50:00", "2 B 24:20:00 24:20:00", "3 C 25:00:00 25:00:00"],
    },
  ]);

  test("times beyond 24:00 belong to the day before", () => {
    const stops = [{ stopSequence: 2, departure: { delay: 120 } }];
    const entities = [updateOf({ tripId: "N", startDate: "20261125" }, stops)];
    const midnight = at("00:00", "2026-11-26");
    const live = tableOf(NIGHT, { at_ms: midnight, entities });
    assert.deepEqual(listOf(NIGHT, live, "B", { from_ms: midnight }).map(shown), [
      "00:20+120 live scheduled N",
    ]);
  });

  test("without a date it is the run nearest to the first time stated, or to the message", () => {
    const stated = { stopSequence: 2, departure: { time: s("00:22", "2026-11-26") } };
    for (const [message, stops] of [
      [at("00:10", "2026-11-26"), [{ stopSequence: 2, departure: { delay: 120 } }]],
      [at("14:00", "2026-11-25"), [stated]],
      [at("14:00", "2026-11-26"), [stated]],
    ] as const) {
      const live = tableOf(NIGHT, {
        at_ms: message,
        entities: [updateOf({ tripId: "N" }, stops)],
      });
      const from_ms = at("00:00", "2026-11-26");
      assert.deepEqual(listOf(NIGHT, live, "B", { from_ms, now_ms: message }).map(shown), [
        "00:20+120 live scheduled N",
      ]);
    }
  });

  test("a date on which the trip does not run, a run long over, a trip that is not known: unmatched", () => {
    for (const [trip, reason] of [
      [{ tripId: "T", startDate: "20261128" }, "not_on_that_day"],
      [{ tripId: "T", startDate: "20261118" }, "long_over"],
      [{ tripId: "X", startDate: "20261125" }, "unknown_trip"],
      [{ routeId: "R1", startDate: "20261125" }, "trip_without_id"],
    ] as const) {
      const stops = [{ stopSequence: 10, departure: { delay: 60 } }];
      const live = tableOf(LINE, { at_ms: NOW, entities: [updateOf(trip, stops)] });
      assert.deepEqual(
        live.meta.trail.dropped.map((each) => each.reason),
        [reason],
      );
      assert.deepEqual([live.meta.counts.matched, live.meta.counts.unmatched], [0, 1]);
      const [match] = listOf(LINE, live, "A", { from_ms: NOW });
      assert.equal(shown(match!), "08:00 unknown scheduled T");
    }
  });

  test("of two updates of one run the newer counts, and of equals the later", () => {
    const of = (delay: number, timestamp?: number): Json =>
      updateOf(T, [{ stopSequence: 10, departure: { delay } }], timestamp ? { timestamp } : {});
    const delayOf = (...entities: Json[]) =>
      listOf(LINE, tableOf(LINE, { at_ms: NOW, entities }), "A", { from_ms: NOW })[0]!.delay_s;
    assert.equal(delayOf(of(60, s("07:54")), of(30, s("07:50"))), 60);
    assert.equal(delayOf(of(30, s("07:50")), of(60, s("07:54"))), 60);
    assert.equal(delayOf(of(30), of(60)), 60);
  });

  test("the clock change: times count from noon minus twelve hours", () => {
    const feed = timetableOf([{ id: "D", calls: FIVE, service: "S" }], {
      "calendar.txt": "service_id,start_date,end_date\n",
      "calendar_dates.txt": "service_id,date,exception_type\nS,20260329,1\nS,20261025,1\n",
    });
    for (const [day, time] of [
      ["20260329", "2026-03-29T08:00:00+02:00"],
      ["20261025", "2026-10-25T08:00:00+01:00"],
    ] as const) {
      const from_ms = Date.parse(time) - 60_000;
      const stops = [{ stopSequence: 10, departure: { time: Date.parse(time) / 1000 + 60 } }];
      const entities = [updateOf({ tripId: "D", startDate: day }, stops)];
      const [match] = listOf(feed, tableOf(feed, { at_ms: from_ms, entities }), "A", { from_ms });
      assert.equal(match!.planned_ms, Date.parse(time));
      assert.equal(match!.delay_s, 60);
    }
  });
});

describe("Relations", () => {
  const board = (entities: readonly Json[], stop = "B"): string[] =>
    listOf(LINE, tableOf(LINE, { at_ms: NOW, entities }), stop, { from_ms: NOW }).map(shown);

  test("a cancelled run is shown where it would call, a deleted one is not", () => {
    const stops = [{ stopSequence: 20, departure: { delay: 60 } }];
    const cancelled = updateOf({ ...T, scheduleRelationship: "CANCELED" }, stops);
    assert.deepEqual(board([cancelled]), ["08:11 live cancelled T"]);
    assert.deepEqual(board([updateOf({ ...T, scheduleRelationship: "DELETED" })]), []);
  });

  test("a relation that is not known says nothing", () => {
    const stops = [{ stopSequence: 20, departure: { delay: 60 } }];
    assert.deepEqual(board([updateOf({ ...T, scheduleRelationship: 12 }, stops)]), [
      "08:11 unknown scheduled T",
    ]);
  });

  for (const scheduleRelationship of ["ADDED", "NEW"])
    test(`a run that is ${scheduleRelationship} has the calls that are stated`, () => {
      const update = updateOf(
        { tripId: "X", routeId: "R2", startDate: "20261125", scheduleRelationship },
        [
          { stopId: "A1", departure: { time: s("08:01") } },
          {
            stopId: "B",
            arrival: { time: s("08:05") },
            departure: { time: s("08:06"), scheduledTime: s("08:05") },
          },
          { stopId: "Z", arrival: { time: s("08:08") } },
          { stopId: "C", arrival: { time: s("08:09") } },
          { stopId: "D", arrival: { time: s("08:12") } },
        ],
        { tripProperties: { tripHeadsign: "Depot" } },
      );
      assert.deepEqual(board([update], "A"), ["08:00 unknown scheduled T", "-=08:01 live added X"]);
      assert.deepEqual(board([update], "B"), [
        "08:05+60 live added X",
        "08:11 unknown scheduled T",
      ]);
      assert.deepEqual(board([update], "C")[0], "-=08:09 live added X");
      assert.deepEqual(board([update], "D"), ["08:30 unknown scheduled T"]);
      const live = tableOf(LINE, { at_ms: NOW, entities: [update] });
      const [match] = listOf(LINE, live, "B", { from_ms: NOW });
      assert.deepEqual([match!.route, match!.headsign], [1, "Depot"]);
      assert.equal(live.meta.counts.added, 1);
    });

  test("a copy runs by the plan from another time on, and its twin that is ADDED is not shown", () => {
    const entities = [
      updateOf(
        { ...T, scheduleRelationship: "DUPLICATED" },
        [{ stopSequence: 20, departure: { delay: 30 } }],
        { tripProperties: { tripId: "T2", startDate: "20261125", startTime: "08:30:00" } },
      ),
      updateOf({ tripId: "T2", scheduleRelationship: "ADDED" }, [
        { stopId: "B", departure: { time: s("08:42") } },
        { stopId: "C", arrival: { time: s("08:52") } },
      ]),
    ];
    assert.deepEqual(board(entities), ["08:11 unknown scheduled T", "08:41+30 live added T2"]);
    assert.deepEqual(board([updateOf({ ...T, scheduleRelationship: "DUPLICATED" })]), [
      "08:11 unknown scheduled T",
    ]);
  });

  test("a replaced run has the calls that are stated, and no others", () => {
    const entities = [
      updateOf({ ...T, scheduleRelationship: "REPLACEMENT" }, [
        { stopId: "A1", departure: { time: s("08:03"), scheduledTime: s("08:00") } },
        { stopId: "C", arrival: { time: s("08:20") } },
        { stopId: "E", arrival: { time: s("08:40") } },
      ]),
    ];
    assert.deepEqual(board(entities, "A"), ["08:00+180 live scheduled T"]);
    assert.deepEqual(board(entities, "B"), []);
    assert.deepEqual(board(entities, "C"), ["-=08:20 live scheduled T"]);
    assert.deepEqual(board([updateOf({ ...T, scheduleRelationship: "REPLACEMENT" })], "B"), [
      "08:11 unknown scheduled T",
    ]);
  });
});

describe("Frequencies", () => {
  const frequent = (exact: 0 | 1) =>
    timetableOf(
      [
        {
          id: "F",
          calls: ["1 A1 00:00:00 00:00:00", "2 B 00:10:00 00:10:00", "3 C 00:20:00 00:20:00"],
        },
      ],
      {
        "frequencies.txt": `trip_id,start_time,end_time,headway_secs,exact_times\nF,08:00:00,08:30:00,600,${exact}\n`,
      },
    );
  const boardOf = (exact: 0 | 1, entities: readonly Json[]): string[] => {
    const feed = frequent(exact);
    return listOf(feed, tableOf(feed, { at_ms: NOW, entities }), "B", { from_ms: NOW }).map(shown);
  };
  const F = { tripId: "F", startDate: "20261125" };

  test("where only a headway is promised, that is planned, and a run takes the nearest place", () => {
    const silent = ["08:10", "08:20", "08:30"].map((time) => `${time} planned_only scheduled F`);
    assert.deepEqual(boardOf(0, []), silent);
    const stops = [{ stopSequence: 2, departure: { time: s("08:23") } }];
    const update = updateOf(
      { ...F, startTime: "08:12:00", scheduleRelationship: "UNSCHEDULED" },
      stops,
    );
    assert.deepEqual(boardOf(0, [update]), [silent[0], "-=08:23 live scheduled F", silent[2]]);
    assert.deepEqual(boardOf(0, [updateOf(F, stops)]), silent);
    const late = updateOf({ ...F, startTime: "08:12:00" }, [
      { stopSequence: 2, departure: { delay: 60 } },
    ]);
    assert.deepEqual(boardOf(0, [late]), [silent[0], silent[2]]);
  });

  test("of two runs in one place, one that takes place counts more than a cancelled one", () => {
    const stops = [{ stopSequence: 2, departure: { time: s("08:23") } }];
    const gone = (startTime: string) =>
      updateOf({ ...F, startTime, scheduleRelationship: "CANCELED" });
    for (const entities of [
      [gone("08:11:00"), updateOf({ ...F, startTime: "08:12:00" }, stops)],
      [gone("08:12:00"), updateOf({ ...F, startTime: "08:11:00" }, stops)],
    ])
      assert.deepEqual(boardOf(0, entities), [
        "08:10 planned_only scheduled F",
        "-=08:23 live scheduled F",
        "08:30 planned_only scheduled F",
      ]);
    assert.deepEqual(boardOf(0, [gone("08:11:00")])[1], "08:20 live cancelled F");
  });

  test("exact runs are those of the timetable, and no others", () => {
    const stops = [{ stopSequence: 2, departure: { delay: 60 } }];
    const of = (startTime: string) => boardOf(1, [updateOf({ ...F, startTime }, stops)]);
    const silent = ["08:10", "08:20", "08:30"].map((time) => `${time} unknown scheduled F`);
    assert.deepEqual(of("08:10:00"), [silent[0], "08:20+60 live scheduled F", silent[2]]);
    assert.deepEqual(of("08:11:00"), silent);
  });
});

describe("What is listed", () => {
  const boardAt = (time: string, entities: readonly Json[], query: object = {}): string[] => {
    const live = tableOf(LINE, { at_ms: at(time), entities });
    return listOf(LINE, live, "B", { from_ms: at(time), ...query }).map(shown);
  };
  const late = updateOf(T, [{ stopSequence: 20, departure: { delay: 600 } }]);
  const early = updateOf(T, [{ stopSequence: 20, departure: { delay: -120 } }]);

  test("a late departure stays until it has left, an early one goes when it has", () => {
    assert.deepEqual(boardAt("08:20", [late]), ["08:11+600 live scheduled T"]);
    assert.deepEqual(boardAt("08:21:01", [late]), []);
    assert.deepEqual(boardAt("08:10", [early]), []);
    assert.deepEqual(boardAt("08:09", [early]), ["08:11-120 live scheduled T"]);
    assert.deepEqual(boardAt("07:00", [late], { to_ms: at("08:12") }), []);
  });

  test("the last call is no departure, the first no arrival, and no boarding is none", () => {
    const feed = timetableOf([
      {
        id: "T",
        calls: ["1 A1 08:00:00 08:00:00", "2 B 08:10:00 08:10:00 1", "3 C 08:20:00 08:20:00"],
      },
    ]);
    const stops = [{ stopSequence: 1, departure: { delay: 60 } }];
    const live = tableOf(feed, { at_ms: NOW, entities: [updateOf(T, stops)] });
    const list = (stop: string, kind: "departures" | "arrivals") =>
      listOf(feed, live, stop, { from_ms: NOW, kind }).length;
    assert.deepEqual(
      ["A", "B", "C"].map((stop) => [list(stop, "departures"), list(stop, "arrivals")]),
      [
        [1, 0],
        [0, 1],
        [0, 1],
      ],
    );
  });

  test("a feed that is old, or silent, leaves every departure unknown", () => {
    const live = tableOf(LINE, {
      at_ms: NOW,
      entities: [
        late,
        updateOf({ tripId: "X", scheduleRelationship: "ADDED" }, [
          { stopId: "B", departure: { time: s("08:00") } },
          { stopId: "C" },
        ]),
      ],
    });
    const list = (now_ms: number) => listOf(LINE, live, "B", { from_ms: NOW, now_ms }).map(shown);
    assert.deepEqual(list(NOW + 120_000).length, 2);
    assert.deepEqual(list(NOW + 120_001), ["08:11 unknown scheduled T"]);
    assert.deepEqual(listOf(LINE, null, "B", { from_ms: NOW }).map(shown), [
      "08:11 unknown scheduled T",
    ]);
    assert.deepEqual(listOf(LINE, undefined, "B", { from_ms: NOW }).map(shown), [
      "08:11 planned_only scheduled T",
    ]);
  });

  test("a feed without a timetable has no list, and not an empty one", () => {
    const query = {
      station: 0,
      kind: "departures",
      from_ms: NOW,
      to_ms: NOW,
      now_ms: NOW,
    } as const;
    assert.equal(
      listDepartures({ ...LINE, timetable: null }, null, { ...query, max_age_s: 1 }),
      null,
    );
    assert.equal(indexFeed({ ...LINE, timetable: null }), null);
  });

  test("vehicles are counted, and change nothing", () => {
    const vehicle = { trip: T, currentStopSequence: 30, currentStatus: "STOPPED_AT" };
    const live = tableOf(LINE, { at_ms: NOW, entities: [{ id: "v", vehicle }] });
    assert.equal(live.meta.counts.vehicles, 1);
    const [match] = listOf(LINE, live, "B", { from_ms: NOW });
    assert.equal(shown(match!), "08:11 unknown scheduled T");
  });

  test("a clock that runs ahead makes nothing newer, and without one the fetch counts", () => {
    for (const timestamp of [s("09:00"), null]) {
      const live = tableOf(LINE, { at_ms: NOW, entities: [late], timestamp });
      const list = (now_ms: number) =>
        listOf(LINE, live, "B", { from_ms: NOW, now_ms })[0]!.realtime;
      assert.deepEqual([list(NOW + 120_000), list(NOW + 121_000)], ["live", "unknown"]);
    }
  });
});

describe("Alerts", () => {
  const alertOf = (id: string, informedEntity: Json, more: object = {}): Json => ({
    id,
    alert: { informedEntity: [informedEntity].flat(), ...more },
  });
  const alertsAt = (entities: readonly Json[], stop = "A"): string[] => {
    const live = tableOf(LINE, { at_ms: NOW, entities });
    return listOf(LINE, live, stop, { from_ms: NOW })[0]!.alerts;
  };

  test("an alert is shown with the calls that all of its selector fits", () => {
    const entities = [
      alertOf("agency", { agencyId: "M" }),
      alertOf("route", { routeId: "R1" }),
      alertOf("other route", { routeId: "R2" }),
      alertOf("station", { stopId: "A" }),
      alertOf("platform", { stopId: "A1" }),
      alertOf("other stop", { stopId: "B" }),
      alertOf("trip", { trip: { tripId: "T" } }),
      alertOf("run", { trip: T }),
      alertOf("other run", { trip: { tripId: "T", startDate: "20261126" } }),
      alertOf("route at stop", { routeId: "R1", stopId: "A" }),
      alertOf("other route at stop", { routeId: "R2", stopId: "A" }),
      alertOf("unknown", [{ stopId: "Z" }, { trip: {} }, { agencyId: "Z" }]),
    ];
    const shownAt = ["agency", "platform", "route", "route at stop", "run", "station", "trip"];
    assert.deepEqual(alertsAt(entities), shownAt);
    const live = tableOf(LINE, { at_ms: NOW, entities });
    assert.deepEqual(live.meta.trail.dropped, [
      { reason: "alert_of_unknown_entity", count: 3, examples: ["unknown", "unknown", "unknown"] },
    ]);
  });

  test("within its periods only, from their begin to before their end", () => {
    const of = (id: string, ...activePeriod: Json[]) =>
      alertOf(id, { routeId: "R1" }, { activePeriod });
    const now = NOW / 1000;
    const entities = [
      of("always"),
      of("begins", { start: now }),
      of("later", { start: now + 1 }),
      of("ended", { end: now }),
      of("ends", { end: now + 1 }),
      of("second", { end: now - 9 }, { start: now - 5, end: now + 5 }),
    ];
    assert.deepEqual(alertsAt(entities), ["always", "begins", "ends", "second"]);
  });

  test("of the alerts about one thing a bounded number is kept", () => {
    const entities = Array.from({ length: 520 }, (_, i) =>
      alertOf(`${1000 + i}`, { routeId: "R1" }),
    );
    assert.equal(alertsAt(entities).length, 500);
    const { dropped } = tableOf(LINE, { at_ms: NOW, entities }).meta.trail;
    assert.deepEqual([dropped[0]!.reason, dropped[0]!.count], ["too_many_selectors", 20]);
  });

  test("what an alert says comes back as it was read", () => {
    const translation = [{ text: "Strike", language: "en" }];
    const entity = alertOf(
      "a",
      { routeId: "R1" },
      { cause: "STRIKE", headerText: { translation } },
    );
    const live = tableOf(LINE, { at_ms: NOW, entities: [entity] });
    const alert = live.alert(0);
    assert.deepEqual([alert.id, alert.cause, alert.header], ["a", "strike", translation]);
  });
});
