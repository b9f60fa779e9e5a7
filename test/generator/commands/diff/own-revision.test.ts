/** `diff` for a revision of one's own that adds to the newest published one. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { diff } from "../../../../generator/commands/diff/diff.js";
import { root } from "../../../cli/command-line.js";
import { put, sandbox } from "../../shared/files/sandbox.js";
import { edit } from "../vendor/upstream.js";

const [older, newer] = ["2026-07-28", "2027-03-01"];
const known = readFileSync(join(root, "schema", older, "schema.ts"), "utf8").replaceAll(older, newer);
const withMethod =
  edit(
    known,
    ["export type ClientRequest =\n", "export type ClientRequest =\n  | GreetRequest\n"],
    ["export type ServerResult =\n", "export type ServerResult =\n  | GreetResult\n"],
    ["export type ServerNotification =\n", "export type ServerNotification =\n  | GreetedNotification\n"],
  ) +
  `
export interface GreetRequest extends JSONRPCRequest {
  method: "greetings/greet";
  params: RequestParams;
}

export interface GreetResult extends Result {
  words: string;
}

export interface GreetedNotification extends JSONRPCNotification {
  method: "notifications/greetings/greeted";
  params?: NotificationParams;
}
`;
const stated = { capability: null, spec: "x" };
const methods = {
  client: { "greetings/greet": stated },
  server: { "notifications/greetings/greeted": stated },
};
const price = ["export interface Tool extends BaseMetadata, Icons {\n", "export interface Tool extends BaseMetadata, Icons {\n  price: number;\n"] as const; // prettier-ignore

async function report(schema: string, overlay: object) {
  const folder = sandbox();
  put(folder, { "schema.ts": schema, "overlay.json": JSON.stringify({ extends: older, ...overlay }) });
  return diff({ before: older, after: join(folder, "schema.ts") });
}

test("a new method and a new notification, with all facts stated, are additions only", async () => {
  const { counts, findings } = await report(withMethod, { methods });
  expect(counts).toMatchObject({ wire: 0, behaviour: 0, source: 0, unstated: 0, deprecation: 0 });
  const lists = findings.filter(({ rule }) => rule === "role-union-extended");
  expect(lists.map(({ at }) => at)).toEqual(["ClientRequest", "ServerNotification", "ServerResult"]);
});

test("the hint of a required member says whether the overlay has the entry", async () => {
  const hint = async (overlay: object): Promise<string | undefined> => {
    const { findings } = await report(edit(known, price), overlay);
    return findings.find(({ rule }) => rule === "member-added-required")?.hint;
  };
  expect(await hint({})).toBe(
    `The overlay of ${newer} has no entry \`conversions.up.Tool.price\`. Add one if a finding \`conversion-unstated\` asks for it: it states what to fill in.`,
  );
  expect(await hint({ conversions: { up: { "Tool.price": { fill: 0, spec: "x" } } } })).toBe(
    `The overlay of ${newer} states under \`conversions.up.Tool.price\` what to fill in.`,
  );
});
