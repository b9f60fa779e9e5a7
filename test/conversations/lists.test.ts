import { describe, expect, test } from "vitest";
import { absent, any, capture, exactly, ref } from "../../runtime/src/testing.js";
import { transportSetups, converse } from "./transports.js";
import { recordedClient } from "./client.js";
import { everyRevision, R3, R5, speaks } from "./messages.js";

const items = (count: number) => any((value) => Array.isArray(value) && value.length === count, `${count} items`);

describe.each(transportSetups)("$name", (carrier) => {
  test.each(everyRevision)("%s: returns 251 resources on three pages", (revision) => {
    const { opening, request } = speaks(revision);
    return converse(carrier, "library", [
      ...opening,
      { "->": request(1, "resources/list", {}) },
      { "<-": { id: 1, result: { resources: items(100), nextCursor: capture("second") } } },
      { "->": request(2, "resources/list", { cursor: ref("second") }) },
      { "<-": { id: 2, result: { resources: items(100), nextCursor: capture("third") } } },
      { "->": request(3, "resources/list", { cursor: ref("third") }) },
      { "<-": { id: 3, result: { resources: items(51), nextCursor: absent } } },
      { "->": request(4, "resources/list", { cursor: ref("second") }) },
      { "<-": { id: 4, result: { nextCursor: ref("third") } } },
      ...["", "x", "cmVzb3VyY2UgOTk5OTk="].flatMap((cursor, index) => [
        { "->": request(`bad ${index}`, "resources/list", { cursor }) },
        { "<-": { id: `bad ${index}`, error: { code: -32602, message: /cursor/ } } },
      ]),
    ]);
  });

  test("the client requests all pages", async () => {
    const { client, recorder } = recordedClient();
    await client.connect(await carrier.server("library"));
    const { resources, nextCursor } = await client.listResources();
    expect(new Set(resources.map(({ uri }) => uri)).size).toBe(251);
    expect(nextCursor).toBeUndefined();
    expect(recorder.find("out", "resources/list")).toHaveLength(3);
  });

  test.each([R3, R5])("%s: completes arguments, with at most 100 values", (revision) => {
    const { opening, request } = speaks(revision);
    const complete = (id: number, ref: object, name: string, value: string, more?: object) =>
      request(id, "completion/complete", { ref, argument: { name, value }, ...more });
    const review = { type: "ref/prompt", name: "review" };
    const city = { type: "ref/resource", uri: "travel://cities/{city}/{topic}" };
    return converse(carrier, "library", [
      ...opening,
      { "->": complete(1, review, "language", "py") },
      {
        "<-": {
          id: 1,
          result: { completion: exactly({ values: ["python", "pytorch", "pyside"], total: 3, hasMore: false }) },
        },
      },
      { "->": complete(2, review, "language", "many") },
      { "<-": { id: 2, result: { completion: { values: items(100), total: 150, hasMore: true } } } },
      { "->": complete(3, city, "city", "B") },
      { "<-": { id: 3, result: { completion: { values: ["Barcelona", "Berlin"] } } } },
      { "->": complete(4, city, "topic", "", { context: { arguments: { city: "Barcelona" } } }) },
      { "<-": { id: 4, result: { completion: { values: ["beaches", "parks"] } } } },
      { "->": complete(5, { type: "ref/prompt", name: "nothing" }, "x", "") },
      { "<-": { id: 5, error: { code: -32602, message: "Unknown prompt: nothing" } } },
    ]);
  });

  test.each(everyRevision)("%s: rejects a read of an unknown resource", (revision) => {
    const { opening, request } = speaks(revision);
    const code = revision === R5 ? -32602 : -32002;
    return converse(carrier, "library", [
      ...opening,
      { "->": request(1, "resources/read", { uri: "doc:///251" }) },
      { "<-": { id: 1, error: { code, message: "Resource not found", data: { uri: "doc:///251" } } } },
      { "->": request(2, "resources/read", { uri: "travel://cities/Barcelona/parks" }) },
      { "<-": { id: 2, result: { contents: [{ text: "parks of Barcelona" }] } } },
    ]);
  });
});
