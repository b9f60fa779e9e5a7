import { describe, expect, test } from "vitest";
import type { Tool } from "../../../../runtime/src/authoring.js";
import { applyPolicy } from "../../../../runtime/src/gateway/pinning/apply-policy.js";
import { compareWithLock } from "../../../../runtime/src/gateway/pinning/compare-with-lock.js";
import { lockOf } from "../../../../runtime/src/gateway/pinning/gateway-lock.js";
import type { ServerSurface } from "../../../../runtime/src/gateway/pinning/server-surface.js";

const tool = (name: string, title?: string): Tool => ({
  name,
  inputSchema: { type: "object" },
  ...(title !== undefined && { title }),
});
const approved: ServerSurface = {
  instructions: "Ask first.",
  tools: [tool("a"), tool("b")],
  prompts: [{ name: "a" }],
  resources: [{ name: "r", uri: "r:1" }],
  templates: [{ name: "t", uriTemplate: "t:{a}" }],
};
const lock = await lockOf(new Map([["mail", approved]]));
const changed: ServerSurface = { ...approved, tools: [tool("a"), tool("b", "B"), tool("c")], prompts: [{ name: "a" }] };

describe.each(["refuse", "quarantine", "report"] as const)("%s", (policy) => {
  const apply = (surface: ServerSurface) => applyPolicy(policy, compareWithLock(lock, "mail", surface), surface);

  test("returns an approved surface as it is", () => {
    expect(apply(approved)).toBe(approved);
  });

  test("returns a surface from which items were removed as it is", () => {
    const fewer: ServerSurface = { instructions: "", tools: [tool("a")], prompts: [] };
    expect(apply(fewer)).toBe(fewer);
  });
});

test("refuse uses no server with new or changed items", () => {
  expect(applyPolicy("refuse", compareWithLock(lock, "mail", changed), changed)).toBeUndefined();
  expect(applyPolicy("refuse", compareWithLock(lock, "other", {}), {})).toBeUndefined();
});

test("the policy that only reports keeps all items", () => {
  expect(applyPolicy("report", compareWithLock(lock, "mail", changed), changed)).toBe(changed);
});

describe("quarantine", () => {
  const quarantine = (surface: ServerSurface, server = "mail") =>
    applyPolicy("quarantine", compareWithLock(lock, server, surface), surface);

  test("hides new and changed items, and keeps the others as they are", () => {
    const kept = quarantine(changed);
    expect(kept).toEqual({ ...changed, tools: [tool("a")] });
    expect(kept?.tools?.[0]).toBe(changed.tools?.[0]);
    expect(kept?.prompts).toBe(changed.prompts);
  });

  test("hides changed instructions", () => {
    expect(quarantine({ instructions: "Do not ask." })).toEqual({ instructions: "" });
  });

  test("hides items of all kinds", () => {
    const resources = [{ name: "r", uri: "r:1", title: "R" }];
    const templates = [{ name: "t", uriTemplate: "t:{b}" }];
    expect(quarantine({ prompts: [{ name: "b" }], resources, templates })).toEqual({
      prompts: [],
      resources: [],
      templates: [],
    });
  });

  test("hides a name of which one definition was not approved", () => {
    expect(quarantine({ tools: [tool("a"), tool("a", "A"), tool("b")] })).toEqual({ tools: [tool("b")] });
  });

  test("does not take items of another kind for the hidden one", () => {
    const surface: ServerSurface = { tools: [tool("a", "A")], prompts: [{ name: "a" }] };
    expect(quarantine(surface)).toEqual({ tools: [], prompts: [{ name: "a" }] });
  });

  test("hides all of a server that was not locked", () => {
    expect(quarantine(approved, "other")).toEqual({
      instructions: "",
      tools: [],
      prompts: [],
      resources: [],
      templates: [],
    });
  });
});
