import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compareSchema } from "../../../../generator/commands/compare-schema/compare-schema.js";
import type { Pins } from "../../../../generator/shared/fidelity/pins.js";
import { pinRevision } from "../../../../scripts/pin-revision.js";

const revision = "r1";
const ts = "export interface A { n: number }\n";
const json = JSON.stringify({
  definitions: { A: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } },
});
const page = "<!DOCTYPE html><title>Not here</title>";
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const pin = pinRevision(revision, { commit: "c0ffee", "schema.ts": bytes(ts), "schema.json": bytes(json) });
const pins: Pins = { [revision]: pin };

/** Path -> what is served. */
const files: Readonly<Record<string, string>> = {
  "/good/c0ffee/schema/r1/schema.ts": ts,
  "/good/c0ffee/schema/r1/schema.json": json,
  "/half/c0ffee/schema/r1/schema.ts": ts,
  "/page/c0ffee/schema/r1/schema.ts": ts,
  "/page/c0ffee/schema/r1/schema.json": page,
  "/changed/c0ffee/schema/r1/schema.ts": `${ts} `,
  "/changed/c0ffee/schema/r1/schema.json": json,
};

let server: Server;
let origin: string;

beforeAll(async () => {
  server = createServer(({ url = "" }, response) => {
    const text = files[url];
    if (url.startsWith("/loop/")) response.writeHead(302, { location: url });
    else response.writeHead(text === undefined ? 404 : 200);
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

test.each(["/good", "/good/"])(
  "the published pair at %s is fetched at the pinned commit and compared",
  async (base) => {
    const report = await compareSchema({ revision, baseUrl: origin + base, pins });
    expect(report).toMatchObject({
      revision,
      files: {
        ts: `${origin}/good/c0ffee/schema/r1/schema.ts`,
        json: `${origin}/good/c0ffee/schema/r1/schema.json`,
      },
      explained: true,
      counts: [{ id: "number-as-integer", findings: 1, types: 1 }],
    });
  },
);

const otherDigest: Pins = { [revision]: { ...pin, definitions: { A: { ts: "0", json: "0" } } } };

/** Base, pins, expected output. */
const refused: readonly (readonly [base: string, pins: Pins, told: RegExp])[] = [
  [
    "/nowhere",
    pins,
    /error\[input-not-found\]: cannot read http:\S+\/nowhere\/c0ffee\/schema\/r1\/schema.\w+: HTTP 404/,
  ],
  ["/half", pins, /error\[input-not-found\]: cannot read http:\S+\/half\/c0ffee\/schema\/r1\/schema.json: HTTP 404/],
  [
    "/page",
    pins,
    /error\[pin-mismatch\]: http:\S+schema.json differs from the r1 .*sha256 is [0-9a-f]{64} \(a web page\), not /,
  ],
  ["/changed", pins, /error\[pin-mismatch\]: http:\S+schema.ts differs from the r1 .*sha256 is [0-9a-f]{64}, not /],
  ["/good", otherDigest, /error\[pin-mismatch\]: http:\S+schema.\w+ differs from the r1 .*digests of A differ/],
  ["/loop", pins, /error\[input-not-found\]: cannot read http:\S+\/loop\S+: .*redirect/],
  ["/good", {}, /error\[revision-unknown\]: unknown revision r1/],
];

test.each(refused)("%s is refused", async (base, known, told) => {
  await expect(compareSchema({ revision, baseUrl: origin + base, pins: known })).rejects.toThrow(told);
});

test("without a network it is said what could not be reached", async () => {
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  await expect(compareSchema({ revision, baseUrl: `http://127.0.0.1:${port}`, pins })).rejects.toThrow(
    /error\[input-not-found\]: cannot read http:\S+: ECONNREFUSED/,
  );
});

test("a pair of URLs is compared without pins", async () => {
  const report = await compareSchema({
    schemaTs: `${origin}/changed/c0ffee/schema/r1/schema.ts`,
    schemaJson: `${origin}/changed/c0ffee/schema/r1/schema.json`,
  });
  expect(report.counts.map(({ id }) => id)).toEqual(["number-as-integer"]);
  expect(report).not.toHaveProperty("revision");
});
