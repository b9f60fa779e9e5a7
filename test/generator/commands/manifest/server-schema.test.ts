/** Our schema requires what the published one requires; `npm run pins:server-json` compares the pin with the file. */
import { expect, test } from "vitest";
import { checkServer } from "../../../../generator/commands/manifest/check-server.js";
import { publishedSchema, serverSchema } from "../../../../generator/commands/manifest/server-schema.js";
import { constraintsDigest, constraintsOf } from "../../../../scripts/server-json-constraints.js";

test("our schema has the pinned constraints", () => {
  expect(constraintsDigest(serverSchema)).toBe(publishedSchema.constraints);
  expect(publishedSchema.url).toContain(publishedSchema.version);
});

test("texts and the order of members do not count, and names of members are kept", () => {
  const schema = { type: "object", description: "x", properties: { description: { type: "string", default: "a" } } };
  expect(constraintsOf(schema)).toEqual({ type: "object", properties: { description: { type: "string" } } });
  const reordered = { properties: { description: { type: "string" } }, type: "object" };
  expect(constraintsDigest(reordered)).toBe(constraintsDigest(schema));
  expect(constraintsDigest({ ...reordered, required: ["description"] })).not.toBe(constraintsDigest(schema));
});

const valid = { name: "io.github.ada/weather", description: "Weather", version: "1.0.0" };
const transport = { type: "stdio" };

test.each<[string, object, readonly string[]]>([
  ["the least", valid, []],
  ["members that the schema does not name", { ...valid, x: 1 }, []],
  ["no version", { ...valid, version: undefined }, ["it must have required property 'version'"]],
  ["a name without a namespace", { ...valid, name: "weather" }, ["name must match pattern"]],
  ["a long title", { ...valid, title: "x".repeat(101) }, ["title must NOT have more than 100 characters"]],
  ["no URL", { ...valid, websiteUrl: "example" }, ['websiteUrl must match format "uri"']],
  [
    "a package without a transport",
    { ...valid, packages: [{ registryType: "npm", identifier: "w" }] },
    ["packages.0 must have required property 'transport'"],
  ],
  [
    "a digest that is too short",
    { ...valid, packages: [{ registryType: "mcpb", identifier: "w", transport, fileSha256: "ab" }] },
    ["packages.0.fileSha256 must match pattern"],
  ],
  [
    "the version latest",
    { ...valid, packages: [{ registryType: "npm", identifier: "w", transport, version: "latest" }] },
    ["packages.0.version must NOT be valid"],
  ],
  ["a remote over stdio", { ...valid, remotes: [transport] }, ["remotes.0"]],
])("%s", async (_name, content, expected) => {
  const problems = (await checkServer(JSON.parse(JSON.stringify(content)), "server.json")).map(
    ({ message }) => message,
  );
  if (expected.length === 0) expect(problems).toEqual([]);
  for (const problem of expected) expect(problems.join("\n")).toContain(`by the schema of 2025-12-11: ${problem}`);
});
