import { truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { checkDescription } from "../../../../../generator/commands/new/openapi/check-description.js";
import { readDescription } from "../../../../../generator/commands/new/openapi/description-source.js";
import { pickOperations } from "../../../../../generator/commands/new/openapi/pick-operations.js";
import { sandbox } from "../../../shared/files/sandbox.js";
import { apiOf, describing, type Json, operation, refusals } from "./descriptions.js";

function written(text: string): string {
  const path = join(sandbox(), "api.yaml");
  writeFileSync(path, text);
  return path;
}

describe("files", () => {
  test("JSON and YAML", async () => {
    const expected = { openapi: "3.0.0", info: { version: "2026-01-01" } };
    expect(await readDescription(written(`\ufeff${JSON.stringify(expected)}`))).toEqual(expected);
    expect(await readDescription(written('openapi: "3.0.0"\ninfo: { version: 2026-01-01 }\n'))).toEqual(expected);
    expect(await readDescription(written('{openapi: "3.0.0", info: {version: 2026-01-01}}'))).toEqual(expected);
  });

  test("absent, empty, broken", async () => {
    const path = join(sandbox(), "none.json");
    expect(await refusals(readDescription(path))).toEqual([
      `openapi-not-found: cannot read the OpenAPI description ${path}: ENOENT`,
    ]);
    expect(await readDescription(written(""))).toBeNull();
    for (const text of ['{"a": 1', "a: [", "a: 1\na: 2"])
      expect(await refusals(readDescription(written(text)))).toEqual([
        expect.stringMatching(/^openapi-syntax: .* neither valid JSON nor valid YAML: ./),
      ]);
  });

  test("aliases that stand for gigabytes", async () => {
    const levels = Array.from(
      { length: 20 },
      (_, level) => `l${level + 1}: &l${level + 1} [${Array(9).fill(`*l${level}`).join(", ")}]`,
    );
    const bomb = ["l0: &l0 [x, x, x]", ...levels].join("\n");
    expect(await refusals(readDescription(written(bomb)))).toEqual([expect.stringMatching(/^openapi-syntax: .*alias/)]);
  });

  test.each([
    ["JSON", `{"a": ${"[".repeat(50_000)}${"]".repeat(50_000)}}`],
    ["YAML", `a: ${"[".repeat(400)}${"]".repeat(400)}`],
  ])("nested deeper than any description, as %s", async (_, text) => {
    expect(await refusals(readDescription(written(text)))).toEqual([
      expect.stringMatching(
        /^openapi-too-deep: .*api\.yaml has members that nest deeper than 200 levels: #\/a\/0\/0\//,
      ),
    ]);
  });

  test("larger than any description", async () => {
    const path = written("");
    truncateSync(path, 100_000_000);
    expect(await refusals(readDescription(path))).toEqual([`openapi-too-large: ${path} is larger than 64000000 bytes`]);
  });
});

describe("URLs", () => {
  async function served(
    respond: (path: string) => { status?: number; headers?: Record<string, string>; body?: string },
  ): Promise<string> {
    const server = createServer(({ url = "/" }, response) => {
      const { status = 200, headers = {}, body = "" } = respond(url);
      response.writeHead(status, headers).end(body);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test("redirects are followed; the query is in no message", async () => {
    const url = await served((path) =>
      path.startsWith("/old") ? { status: 302, headers: { location: "/new" } } : { body: "{}" },
    );
    expect(await readDescription(`${url}/old`)).toEqual({});
    const refusing = await served(() => ({ status: 403 }));
    expect(await refusals(readDescription(`${refusing}/api.json?key=secret`))).toEqual([
      `openapi-not-found: cannot read the OpenAPI description ${refusing}/api.json: HTTP 403`,
    ]);
  });

  test("no server, no valid URL, a password", async () => {
    for (const [url, reason] of [
      ["http://127.0.0.1:9/api.json", /ECONNREFUSED|bad port/],
      ["https://", /not a valid URL/],
      ["https://user:secret@example.com/", /user name or password/],
    ] as const) {
      const [said] = await refusals(readDescription(url));
      expect(said).toMatch(reason);
      expect(said).not.toContain("secret");
    }
  });
});

describe("descriptions", () => {
  const get = { "/a": { get: operation() } };
  test.each<[name: string, description: unknown, said: string]>([
    ["not an object", [], "openapi-version: api.json is not an object"],
    ["no version", {}, "openapi-version: api.json has no member openapi; only OpenAPI 3.0 and 3.1 are supported"],
    ["Swagger", { swagger: "2.0" }, "openapi-version: api.json is a Swagger 2.0 description; only OpenAPI 3.0 and 3.1"],
    ["a later version", { openapi: "4.0.0" }, 'openapi-version: api.json has the OpenAPI version "4.0.0"'],
    [
      "no title",
      { ...describing(get), info: {} },
      "openapi-invalid: api.json is not a valid OpenAPI description: #/info must have",
    ],
    [
      "an invalid parameter",
      describing({ "/a": { get: operation({ parameters: [{ name: "x", in: "body" }] }) } }),
      "openapi-invalid: api.json is not a valid OpenAPI description: #/paths/~1a/get/parameters/0",
    ],
    [
      "a reference to another document",
      describing({ "/a": { $ref: "https://evil.example/a.json" } }),
      "openapi-reference-remote: api.json refers to another document at #/paths/~1a: https://evil.example/a.json",
    ],
    [
      "a reference to another file",
      describing({ "/a": { get: operation({ parameters: [{ $ref: "../../etc/passwd" }] }) } }),
      "openapi-reference-remote: api.json refers to another document at #/paths/~1a/get/parameters/0: ../../etc/passwd",
    ],
    [
      "a reference to nothing",
      describing(get, { components: { schemas: { A: { $ref: "#/components/schemas/B" } } } }),
      "openapi-reference-broken: api.json has no #/components/schemas/B, which #/components/schemas/A refers to",
    ],
  ])("%s", async (_name, description, said) => {
    expect(await refusals(checkDescription(description, "api.json"))).toEqual([expect.stringContaining(said)]);
  });

  test("references that name themselves", async () => {
    const parameters = { a: { $ref: "#/components/parameters/b" }, b: { $ref: "#/components/parameters/a" } };
    const paths = { "/a": { get: operation({ parameters: [{ $ref: "#/components/parameters/a" }] }) } };
    expect(await refusals(apiOf(describing(paths, { components: { parameters } })))).toEqual([
      expect.stringContaining("openapi-reference-broken"),
    ]);
  });

  test("$ref as the name of a property, and in examples, means nothing", async () => {
    const schemas = { A: { type: "object", properties: { $ref: { type: "string" } }, example: { $ref: "x" } } };
    expect(await refusals(checkDescription(describing(get, { components: { schemas } }), "api.json"))).toEqual([]);
  });

  test("a path whose parameter is not described", async () => {
    expect(await refusals(apiOf(describing({ "/a/{id}": { get: operation() } })))).toEqual([
      "openapi-invalid: api.json is not a valid OpenAPI description: #/paths/~1a~1{id}/get does not describe the parameter {id} of its path",
    ]);
  });
});

describe("the choice of operations", () => {
  const paths = {
    "/pets": { get: operation({ tags: ["pets"] }), post: operation({ tags: ["pets", "admin"] }) },
    "/users/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: {} }],
      get: operation({ tags: ["Users"] }),
    },
  };
  const pick = async (
    choice: { tags?: string[]; paths?: string[]; limit?: number },
    of: Json = paths,
  ): Promise<readonly string[]> => {
    const document = await checkDescription(describing(of), "api.json");
    const picked = pickOperations(document, { tags: [], paths: [], limit: 10, ...choice });
    return picked.map(({ method, path }) => `${method} ${path}`);
  };

  test("by tag and path", async () => {
    expect(await pick({})).toEqual(["GET /pets", "POST /pets", "GET /users/{id}"]);
    expect(await pick({ tags: ["admin", "users"] })).toEqual(["POST /pets", "GET /users/{id}"]);
    expect(await pick({ paths: ["/users/*"] })).toEqual(["GET /users/{id}"]);
    expect(await pick({ tags: ["p*"], paths: ["/pets"] })).toEqual(["GET /pets", "POST /pets"]);
  });

  test("none, and too many", async () => {
    expect(await refusals(pick({ tags: ["cats"] }))).toEqual([
      "openapi-nothing-picked: no operation of api.json matches --tag cats",
    ]);
    expect(await refusals(pick({}, {}))).toEqual(["openapi-nothing-picked: no operation of api.json matches any path"]);
    expect(await refusals(pick({ limit: 2 }))).toEqual([
      "openapi-too-many: 3 operations are picked, and the limit is 2",
    ]);
    await expect(pick({ limit: 2 })).rejects.toThrow("Tags: pets (2), admin (1), Users (1).");
  });
});
