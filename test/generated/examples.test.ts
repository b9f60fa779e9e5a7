import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { publishedRevision } from "../support/protocol.js";

const official = resolve(import.meta.dirname, "../../../shared/official");
const folder = join(official, "schema/2026-07-28/examples");

/**
 * Published examples that the schema accepts although they are invalid, each with a test that shows why: do not use
 * them as fixtures of correct messages.
 */
const knownBad: Readonly<Record<string, (example: Readonly<Record<string, unknown>>) => boolean>> = {
  // The schema accepts it as an `InputRequiredResult`, which requires only `resultType`.
  "ReadResourceResultResponse/read-resource-result-response.json": ({ result }) =>
    !(publishedRevision("2026-07-28").entry["isReadResourceResult"] as (value: unknown) => boolean)(result),
  // Requests inside a result have no id.
  "ListRootsRequest/list-roots-request.json": (example) => Object.hasOwn(example, "id"),
};

test("the predicates accept every official example of 2026-07-28", () => {
  if (!existsSync(folder)) {
    process.stdout.write(`${folder} is not here: no example was read\n`);
    expect(existsSync(official)).toBe(false);
    return;
  }
  const { entry } = publishedRevision("2026-07-28");
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((found) => found.isDirectory())
    .flatMap(({ name }) => readdirSync(join(folder, name)).map((file) => ({ name, file: join(folder, name, file) })));
  const refused = files.filter(({ name, file }) => {
    const accepts = entry[`is${name}`] as (value: unknown) => boolean;
    return !accepts(JSON.parse(readFileSync(file, "utf8")));
  });
  expect(refused).toEqual([]);
  expect(files).toHaveLength(129);
  for (const [name, isInvalid] of Object.entries(knownBad))
    expect(isInvalid(JSON.parse(readFileSync(join(folder, name), "utf8")) as Record<string, unknown>), name).toBe(true);
});
