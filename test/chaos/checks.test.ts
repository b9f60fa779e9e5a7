/** The checks of the chaos run find what is wrong, in logs of events that differ from correct ones. */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { FetchLike } from "../../runtime/src/client/http.js";
import { SdkError } from "../../runtime/src/index.js";
import { ChaosLog, type Fault } from "./chaos-log.js";
import { ClientChecker, type ClientEvent, type Violation } from "./client-checker.js";
import { growthOf } from "./growth.js";
import { findUnbounded, keysOfEnded, keysOfSessions } from "./keys.js";
import { ownUri, wordOf } from "./model.js";
import { type Failure, nameOf, ToolFailure } from "./observations.js";
import { watchedFetch } from "./watched-fetch.js";

const [client, principal] = ["c1", "ada"];
const nonce = (number: number): string => `${client}#${number}`;
const answered = (number: number, more: object = {}, steps?: number): ClientEvent => ({
  type: "answered",
  nonce: nonce(number),
  answer: { nonce: nonce(number), principal, ...more },
  ...(steps !== undefined && { steps }),
});
const called = (number: number, tool: string, uri?: string): ClientEvent => ({
  type: "called",
  nonce: nonce(number),
  tool,
  ...(uri !== undefined && { uri }),
});
const told = (number: number): ClientEvent => ({ type: "logged", logged: { nonce: nonce(number), principal } });
const progress = (number: number, step: number): ClientEvent => ({ type: "progress", nonce: nonce(number), step });
const logged = (number: number, step: number): ClientEvent => ({
  type: "logged",
  logged: { nonce: nonce(number), principal, step },
});
const response = (id: number): ClientEvent => ({ type: "response", connection: 1, id });
const uri = ownUri(client, 0);

/** Correct, each event at the time of its index. */
const correct: readonly ClientEvent[] = [
  { type: "opened" },
  { type: "subscribed" },
  called(1, "work"),
  progress(1, 1),
  logged(1, 1),
  progress(1, 2),
  logged(1, 2),
  response(1),
  answered(1, {}, 2),
  called(2, "tell"),
  answered(2),
  told(2),
  called(3, "tell"),
  told(3),
  answered(3),
  called(4, "count"),
  answered(4, { count: 1 }),
  called(5, "count"),
  { type: "failed", nonce: nonce(5) },
  called(6, "count"),
  answered(6, { count: 3 }),
  called(7, "touch", uri),
  answered(7),
  { type: "updated", uri },
  { type: "changed", uri },
  called(8, "elicit"),
  { type: "asked", nonce: nonce(8) },
  answered(8, { word: wordOf(client, nonce(8)) }),
  { type: "quiet" },
];

function violationsOf(events: readonly ClientEvent[]): Violation[] {
  const found: Violation[] = [];
  const checker = new ClientChecker(client, principal, (violation) => found.push(violation));
  for (const [at, event] of events.entries()) checker.add(event, at);
  return found;
}

const rulesOf = (events: readonly ClientEvent[]): string[] => [
  ...new Set(violationsOf(events).map(({ rule, isLoss }) => `${rule}${isLoss ? " (loss)" : ""}`)),
];

/** Replaces the events from an index on. */
const change = (at: number, remove: number, ...events: ClientEvent[]): ClientEvent[] => [
  ...correct.slice(0, at),
  ...events,
  ...correct.slice(at + remove),
];
const indexOf = (event: ClientEvent): number =>
  correct.findIndex((one) => JSON.stringify(one) === JSON.stringify(event));
const doubled = (event: ClientEvent): ClientEvent[] => change(indexOf(event), 1, event, event);
const without = (event: ClientEvent): ClientEvent[] => change(indexOf(event), 1);
const instead = (event: ClientEvent, other: ClientEvent): ClientEvent[] => change(indexOf(event), 1, other);

const outOfOrder = "a notification is doubled or out of order";
const anothersAnswer = "a call got the answer of another";

test("a correct log has no violation", () => expect(violationsOf(correct)).toEqual([]));

test("a call that failed needs no update, also when that of the next one arrives before its answer", () => {
  const touched = [called(9, "touch", uri), { type: "failed", nonce: nonce(9) } as const];
  const next = [called(10, "touch", uri), { type: "updated", uri } as const, answered(10)];
  expect(violationsOf([...touched, ...next, { type: "quiet" }])).toEqual([]);
  const [rule] = rulesOf([...touched, called(10, "touch", uri), answered(10), { type: "quiet" }]);
  expect(rule).toBe("an update is missing (loss)");
});

test.each<readonly [string, readonly ClientEvent[], readonly string[]]>([
  ["a progress notification twice", doubled(progress(1, 1)), [outOfOrder]],
  ["a message of a call twice", doubled(logged(1, 2)), [outOfOrder]],
  ["a message without a request twice", doubled(told(2)), [outOfOrder]],
  ["an update twice", doubled({ type: "updated", uri }), ["an update is doubled (loss)"]],
  ["two messages swapped", [...without(told(2)).slice(0, 13), told(2), ...without(told(2)).slice(13)], [outOfOrder]],
  [
    "a message after the answer",
    change(indexOf(response(1)) + 2, 0, progress(1, 3)),
    ["a notification of an answered call"],
  ],
  ["a response twice", doubled(response(1)), ["a call was answered twice"]],
  [
    "the answer of another call",
    instead(answered(2), { ...answered(3), nonce: nonce(2) } as ClientEvent),
    [anothersAnswer],
  ],
  [
    "the word of another client",
    instead(answered(8, { word: wordOf(client, nonce(8)) }), answered(8, { word: "c2" })),
    [anothersAnswer],
  ],
  [
    "the answer for another principal",
    instead(answered(2), answered(2, { principal: "bob" })),
    ["data of another principal"],
  ],
  [
    "a message of another principal",
    instead(told(2), { type: "logged", logged: { nonce: nonce(2), principal: "bob" } }),
    ["data of another principal"],
  ],
  [
    "a message of another client",
    change(11, 0, { type: "logged", logged: { nonce: "c2#9", principal } }),
    ["data of another client", outOfOrder],
  ],
  ["an update of another client", change(11, 0, { type: "updated", uri: ownUri("c2", 0) }), ["data of another client"]],
  ["a question of another client", change(11, 0, { type: "asked", nonce: "c2#9" }), ["data of another client"]],
  ["a counter too high", instead(answered(4, { count: 1 }), answered(4, { count: 2 })), ["a counter is wrong"]],
  [
    "a counter that goes back",
    instead(answered(6, { count: 3 }), answered(6, { count: 1 })),
    ["a counter went back (loss)"],
  ],
  ["no progress", without(progress(1, 2)), ["a notification is missing (loss)"]],
  ["no message of a call", without(logged(1, 1)), ["a notification is missing (loss)"]],
  ["no message without a request", without(told(2)), ["a notification is missing (loss)"]],
  [
    "no update",
    correct.filter(({ type }) => type !== "updated" && type !== "changed"),
    ["an update is missing (loss)"],
  ],
])("%s", (_, events, rules) => {
  expect(rulesOf(events).filter((rule) => rules.includes(rule))).toEqual(rules);
});

describe("a log of faults", () => {
  const failure = (name: Failure["name"], from: number, to: number, revision = "2025-11-25"): Failure => ({
    name,
    client,
    revision,
    what: "echo",
    detail: "",
    from,
    to,
  });
  const loss = (rule: string, ...periods: Violation["periods"]): Violation => ({
    rule,
    client,
    detail: "",
    isLoss: true,
    periods,
  });
  const log = new ChaosLog();
  const faults: Fault[] = [
    { kind: "node killed", from: 100_000, to: 101_000 },
    { kind: "failed over", from: 200_000, to: 202_000, lostSince: 200_000 },
    { kind: "Redis restarted", from: 300_000, to: 301_000 },
  ];
  log.faults.push(...faults);

  test.each<readonly [string, Failure, boolean]>([
    ["a connection that ends with its node", failure("connection ended", 99_000, 100_100), true],
    ["a connection that ends before", failure("connection ended", 98_000, 99_000), false],
    ["a connection that ends long after", failure("connection ended", 130_000, 131_000), false],
    ["a lost session when a node dies", failure("session lost", 100_500, 100_600), false],
    ["503 while Redis is away", failure("503 with Retry-After", 300_100, 300_200), true],
    ["a response of a call during a failover", failure("the response was lost", 201_000, 261_000), true],
    ["a response of a call before", failure("the response was lost", 139_000, 199_000), false],
    ["a response of a call after", failure("the response was lost", 203_000, 263_000), false],
    ["a response while Redis restarts", failure("the response was lost", 300_500, 360_500), false],
    ["a response when a node dies", failure("the response was lost", 100_500, 160_500, "2024-11-05"), false],
    ["a failure that no document names", failure(undefined, 100_100, 100_200), false],
  ])("%s", (_, one, isExplained) => expect(log.isExplained(one)).toBe(isExplained));

  test.each<readonly [string, Violation, boolean]>([
    ["a session opened while writes are lost", loss("a session was lost", [200_100, 210_000]), true],
    ["a session opened before", loss("a session was lost", [190_000, 210_000]), false],
    ["a message written while writes are lost", loss("a notification is missing", [199_000, 200_100]), true],
    ["a message written before", loss("a notification is missing", [198_000, 199_000]), false],
    ["a message while Redis restarts", loss("a notification is missing", [300_100, 300_200]), false],
    ["an update while Redis restarts", loss("an update is missing", [300_100, 300_200]), true],
    [
      "a subscription while writes are lost",
      loss("an update is missing", [250_000, 250_100], [200_100, 200_200]),
      true,
    ],
    ["a gap after an event while writes are lost", loss("a gap was announced", [201_900, 203_500]), true],
    ["a gap long after it", loss("a gap was announced", [201_900, 290_000]), true],
    ["a gap after an event before, found after it", loss("a gap was announced", [150_000, 203_000]), true],
    ["a gap after a later event", loss("a gap was announced", [202_600, 203_500]), false],
    ["a gap before", loss("a gap was announced", [190_000, 199_400]), false],
    ["a gap when Redis restarts", loss("a gap was announced", [299_000, 302_000]), false],
    ["a gap when a node dies", loss("a gap was announced", [99_000, 102_000]), false],
    ["an update twice, without lost writes", loss("an update is doubled", [250_000, 250_100]), false],
    ["a notification twice", { ...loss("doubled", [200_100, 200_100]), isLoss: false }, false],
  ])("%s", (_, one, isAnnounced) => expect(log.isAnnounced(one)).toBe(isAnnounced));

  test("a call that was carried out twice", () => {
    log.addExecuted(["c1#1", "c1#2"]);
    expect(log.problems).toEqual([]);
    log.addExecuted(["c1#2"]);
    expect(log.problems).toEqual(["a call was carried out twice: c1#2"]);
  });
});

test("only failures that the documents name have a name", () => {
  expect(nameOf(new ToolFailure("cannot read a value in Redis: no reply within 5000 ms"))).toBe("the backplane failed");
  expect(nameOf(new ToolFailure("something else"))).toBeUndefined();
  expect(nameOf(new TypeError("fetch failed"))).toBeUndefined();
  const late = new SdkError("REQUEST_TIMEOUT", "tools/call was not answered in time");
  expect([nameOf(late, "echo"), nameOf(late, "elicit")]).toEqual([undefined, "the answer to a question was lost"]);
  expect(["2024-11-05", "2025-11-25", "2026-07-28"].map((revision) => nameOf(late, "echo", revision))).toEqual([
    "the response was lost",
    "the response was lost",
    undefined,
  ]);
});

test("a gap begins when the last event arrived", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 1_000 });
  onTestFinished(() => void vi.useRealTimers());
  const later = (chunk: string): string => (vi.setSystemTime(Date.now() + 10), chunk);
  function* chunks() {
    for (const chunk of ["id: a\ndata: {}\n\nid", ": b\nda", "ta: {}\n\n"]) yield Buffer.from(later(chunk));
  }
  const gaps: number[] = [];
  const unexpected = (): never => expect.unreachable();
  const inner: FetchLike = (_, { headers }) => {
    if (new Headers(headers).has("last-event-id")) return Promise.resolve(new Response(null, { status: 400 }));
    return Promise.resolve(
      new Response(ReadableStream.from(chunks()), { headers: { "content-type": "text/event-stream" } }),
    );
  };
  const watched = watchedFetch(
    inner,
    {},
    {
      onSession: unexpected,
      onUnknownSession: unexpected,
      onResumed: unexpected,
      onGap: (since) => gaps.push(since),
      onPostUrl: unexpected,
      onUnexpected: unexpected,
    },
  );
  const url = new URL("http://localhost/");
  expect(await (await watched(url, {})).text()).toBe("id: a\ndata: {}\n\nid: b\ndata: {}\n\n");
  vi.setSystemTime(5_000);
  for (const id of ["a", "b", "unknown"]) await watched(url, { headers: { "last-event-id": id } });
  expect(gaps).toEqual([1_010, 1_020, 5_000]);
});

test("keys without expiry, keys that live too long, and keys of sessions that have ended", () => {
  const lives = new Map([
    ["v:{session:1}", 10_000],
    ["v:{listener:1}", 20_000],
    ["l:{events:1}", -1],
    ["l:{changes:chaos}", 80_000_000],
  ]);
  expect(findUnbounded(lives, 13_500)).toEqual([
    "v:{listener:1} lives for 20000 ms, longer than 13500 ms",
    "l:{events:1} has no expiry",
  ]);
  expect(keysOfSessions(lives)).toEqual(["v:{session:1}", "v:{listener:1}"]);
  expect(keysOfEnded(lives)).toEqual(["v:{session:1}", "v:{listener:1}", "l:{events:1}"]);
});

test.each<readonly [string, readonly number[], boolean | undefined]>([
  ["too few", [10, 20, 30, 40], undefined],
  ["flat, with noise", [5, 20, 21, 30, 19, 21, 20], false],
  ["flat, with a high end", [5, 20, 21, 20, 19, 21, 40], false],
  ["a leak", [5, 20, 21.5, 23, 24.5, 26, 27.5], true],
])("memory: %s", (_, measurements, isGrowing) => {
  const growth = growthOf(measurements);
  expect(growth === undefined ? undefined : growth > 1.1).toBe(isGrowing);
});
