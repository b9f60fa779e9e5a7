import { describe, expect, test } from "vitest";
import { linkTo } from "../../../../generator/pipeline/overlay/effective-overlay.js";
import type { ConditionModel, ProtocolModel, RequestModel, Side } from "../../../../generator/shared/model/protocol.js";
import { facts as facts20241105 } from "./facts/2024-11-05.js";
import { facts as facts20250326 } from "./facts/2025-03-26.js";
import { facts as facts20250618 } from "./facts/2025-06-18.js";
import { facts as facts20251125 } from "./facts/2025-11-25.js";
import { facts as facts20260728 } from "./facts/2026-07-28.js";
import type { Facts, InputRequestFact, RequestFact } from "./facts/facts.js";
import { build, pingMethods, spec } from "./build.js";
import { readRevision, revisions } from "./revision.js";

const all = [facts20241105, facts20250326, facts20250618, facts20251125, facts20260728];

test("every revision has listed facts", () => expect(all.map(({ revision }) => revision)).toEqual(revisions));

describe.each(all)("$revision: the model agrees with the specification on", async (facts) => {
  const { model } = await readRevision(facts.revision);
  const said = factsOf(model);

  test("the number of definitions", () => expect(said.definitions).toBe(facts.definitions));
  test("requests of the client", () => expect(said.requests.client).toEqual(facts.requests.client));
  test("requests of the server", () => expect(said.requests.server).toEqual(facts.requests.server));
  test("notifications of the client", () => expect(said.notifications.client).toEqual(facts.notifications.client));
  test("notifications of the server", () => expect(said.notifications.server).toEqual(facts.notifications.server));
  test("requests embedded in results", () => expect(said.inputRequests).toEqual(facts.inputRequests));
  test("error codes", () => expect(said.errors).toEqual(facts.errors));
  test("behaviour", () => expect(said.profile).toEqual(facts.profile));
  test("authorization", () => expect(said.authorization).toEqual(facts.authorization));
});

test("a link is below the specification's root, unless the overlay states a whole address", () => {
  const overlay = { specification: "https://example.com/new/" };
  expect(linkTo(overlay, "server/tools#calling")).toBe("https://example.com/new/server/tools#calling");
  expect(linkTo(overlay, "https://example.org/notes#price")).toBe("https://example.org/notes#price");
});

function factsOf(model: ProtocolModel): Facts {
  return {
    revision: model.revision,
    definitions: model.definitions.filter(({ derivedFrom }) => derivedFrom === undefined).length,
    requests: { client: requests(model, "client"), server: requests(model, "server") },
    notifications: { client: notifications(model, "client"), server: notifications(model, "server") },
    inputRequests: unique(
      model.inputRequests.map(({ method, result, capability, conditions }): [string, InputRequestFact] => [
        method,
        { result, capability: String(capability), ...conditionsOf(conditions) },
      ]),
    ),
    errors: unique(model.errors.map(({ code, name }) => [String(code), name])),
    profile: unique(model.profile.map(({ field, value }) => [field, value])),
    ...(model.authorization && {
      authorization: unique(model.authorization.map(({ field, value }) => [field, value])),
    }),
  };
}

function requests(model: ProtocolModel, side: Side): Record<string, RequestFact> {
  const sent = model.requests.filter(({ sender }) => sender === side);
  return unique(
    sent.map((request): [string, RequestFact] => [
      request.method,
      {
        type: request.type,
        params: request.paramsOptional ? "optional" : "required",
        ...results(request, model),
        capability: request.capability,
        ...conditionsOf(request.conditions),
        ...(request.pages !== undefined && { pages: request.pages }),
      },
    ]),
  );
}

function results({ result }: RequestModel, model: ProtocolModel): Pick<RequestFact, "results" | "tag"> {
  switch (result.kind) {
    case "single":
      return { results: [result.type] };
    case "tagged": {
      const types = result.alternatives.map(
        (tag) => model.resultTag?.alternatives.find(({ value }) => value === tag)?.type ?? `no type for ${tag}`,
      );
      return { results: [result.type, ...types], tag: model.resultTag?.member as "resultType" };
    }
    case "presence":
      return { results: [result.type, result.alternative], tag: result.member as "task" };
  }
}

function notifications(model: ProtocolModel, side: Side): Record<string, string | null> {
  return unique(
    model.notifications.filter(({ sender }) => sender === side).map(({ method, capability }) => [method, capability]),
  );
}

function conditionsOf(conditions: readonly ConditionModel[]): Pick<RequestFact, "conditions"> {
  const lines = conditions.map(
    ({ member, values, capability }) => `${member}${values ? `=${values.join("|")}` : ""}: ${capability}`,
  );
  return lines.length > 0 ? { conditions: lines.sort() } : {};
}

/** A record of the entries; throws if two have the same key. */
function unique<T>(entries: readonly (readonly [key: string, value: T])[]): Record<string, T> {
  const record = Object.fromEntries(entries);
  expect(Object.keys(record)).toHaveLength(entries.length);
  return record;
}

test("a JSON Schema without constants that the overlay names is a finding", () => {
  const definitions = {
    PingRequest: { type: "object", properties: { method: { const: "ping", type: "string" } }, required: ["method"] },
    PingResult: { type: "object" },
    ClientRequest: { anyOf: [{ $ref: "#/definitions/PingRequest" }] },
  };
  const stated = { methods: pingMethods, errors: { "-32700": { meaning: "No JSON.", spec } } };
  expect(build({ definitions }, { own: { methods: pingMethods } }).findings).toEqual([]);
  expect(build({ definitions }, { own: stated }).findings).toEqual([
    "schema-json-lossy: s.json is a JSON Schema and lacks declarations of r2: constants, including error codes -32700",
  ]);
});
