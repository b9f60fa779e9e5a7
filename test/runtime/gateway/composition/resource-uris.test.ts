import { describe, expect, test } from "vitest";
import type { Resource, ResourceTemplate } from "../../../../runtime/src/authoring.js";
import { ResourceUris } from "../../../../runtime/src/gateway/composition/resource-uris.js";
import { randomFrom } from "../../../support/random-instances.js";

type ByServer = Readonly<Record<string, readonly string[]>>;

function resource(uri: string): Resource {
  return { uri, name: uri };
}

function template(uriTemplate: string): ResourceTemplate {
  return { uriTemplate, name: uriTemplate };
}

/** The joined lists of servers, which have the order of `resources`. */
function joined(resources: ByServer, templates: ByServer = {}) {
  const uris = new ResourceUris([...new Set([...Object.keys(resources), ...Object.keys(templates)])]);
  const lists = uris.join(
    Object.entries(resources).map(([server, all]) => ({ server, items: all.map(resource) })),
    Object.entries(templates).map(([server, all]) => ({ server, items: all.map(template) })),
  );
  return {
    uris,
    resources: lists.resources.map(({ uri }) => uri),
    templates: lists.templates.map(({ uriTemplate }) => uriTemplate),
    refused: lists.refused,
  };
}

describe("joined lists", () => {
  test("URIs of one server stay, those of several are wrapped, in order", () => {
    const { resources } = joined({ files: ["file:///a", "file:///b"], Notes: ["note:1", "file:///b"] });
    expect(resources).toEqual(["file:///a", "via-files+file:///b", "note:1", "via-notes+file:///b"]);
  });

  test("URIs are compared as new URL writes them", () => {
    const { resources } = joined({
      a: ["file:///x y", "HTTP://Example.com"],
      b: ["file:///x%20y", "http://example.com/"],
    });
    expect(resources).toEqual([
      "via-a+file:///x y",
      "via-a+HTTP://Example.com",
      "via-b+file:///x%20y",
      "via-b+http://example.com/",
    ]);
  });

  test("templates that differ in names of variables alone are equal", () => {
    const { templates } = joined({}, { a: ["file:///{path}", "note:{id}"], b: ["file:///{name}", "file:///x/{name}"] });
    expect(templates).toEqual(["via-a+file:///{path}", "note:{id}", "via-b+file:///{name}", "file:///x/{name}"]);
  });

  test("URIs of a server that begin like wrapped ones are wrapped again", () => {
    const { uris, resources, templates } = joined(
      { a: ["via-b+file:///x", "VIA-x", "ui://via-b/y", "\tvia-q:1"], b: ["file:///x"] },
      { a: ["via-b+file:///{x}"] },
    );
    expect(resources).toEqual([
      "via-a+via-b+file:///x",
      "via-a+VIA-x",
      "ui://via-a/via-b/y",
      "via-a+\tvia-q:1",
      "file:///x",
    ]);
    expect(templates).toEqual(["via-a+via-b+file:///{x}"]);
    expect(uris.toServer("via-a+via-b+file:///x")).toEqual({ server: "a", uri: "via-b+file:///x" });
    expect(uris.toServer("via-b+file:///x")).toEqual({ server: "b", uri: "file:///x" });
  });

  test("a template that another server lists as a resource is wrapped", () => {
    const { resources, templates } = joined({ a: ["note:{id}", "note:1"] }, { b: ["note:{id}", "note:1"] });
    expect(resources).toEqual(["note:{id}", "note:1"]);
    expect(templates).toEqual(["via-b+note:{id}", "via-b+note:1"]);
  });

  test("apps keep their scheme", () => {
    const { uris, resources } = joined({ a: ["ui://chart"], b: ["ui://chart"] });
    expect(resources).toEqual(["ui://via-a/chart", "ui://via-b/chart"]);
    expect(uris.toServer("ui://via-b/chart")).toEqual({ server: "b", uri: "ui://chart" });
  });

  test("an item that does not change is the same object, and the server's item is not changed", () => {
    const [alone, shared] = [resource("file:///a"), resource("file:///b")];
    const list = template("file:///{x}");
    const uris = new ResourceUris(["a", "b"]);
    const { resources, templates } = uris.join(
      [
        { server: "a", items: [alone, shared] },
        { server: "b", items: [shared] },
      ],
      [{ server: "a", items: [list] }],
    );
    expect(resources[0]).toBe(alone);
    expect(resources[1]).toEqual({ uri: "via-a+file:///b", name: "file:///b" });
    expect(shared.uri).toBe("file:///b");
    expect(templates[0]).toBe(list);
  });

  test("what a server lists twice is refused once", () => {
    const { resources, templates, refused } = joined(
      { a: ["file:///a", "file:///a", "FILE:///a"], b: [] },
      { a: ["x:{a}", "x:{a}", "x:{b}"] },
    );
    expect(resources).toEqual(["file:///a", "FILE:///a"]);
    expect(templates).toEqual(["x:{a}", "x:{b}"]);
    expect(refused).toEqual([
      { server: "a", name: "file:///a", reason: 'server "a" lists "file:///a" more than once; clients see the first' },
      { server: "a", name: "x:{a}", reason: 'server "a" lists "x:{a}" more than once; clients see the first' },
    ]);
  });

  test("the last lists count", () => {
    const { uris } = joined({ a: ["file:///a"], b: ["file:///a"] });
    expect(uris.toClient("a", "file:///a")).toBe("via-a+file:///a");
    uris.join([{ server: "a", items: [resource("file:///a")] }], []);
    expect(uris.toClient("a", "file:///a")).toBe("file:///a");
    expect(uris.toServer("via-a+file:///a")).toEqual({ server: "a", uri: "file:///a" });
  });
});

describe("URIs in messages of a server", () => {
  const { uris } = joined(
    { a: ["file:///a", "both:1", "https://example.com/listed"], b: ["file:///b", "both:1"] },
    {
      a: ["file:///{+path}", "https://example.com/{page}", "note:{id}"],
      b: ["note:x{id}", "https://example.com/x{page}"],
    },
  );

  test.for<[string, string, string, string]>([
    ["listed by this server", "a", "file:///a", "file:///a"],
    ["listed in another spelling", "a", "FILE:///a", "FILE:///a"],
    ["listed by another", "a", "file:///b", "via-a+file:///b"],
    ["listed by both", "b", "both:1", "via-b+both:1"],
    ["matched by templates of this server alone", "a", "file:///c", "file:///c"],
    ["matched by templates of another alone", "b", "file:///c", "via-b+file:///c"],
    ["matched by templates of both", "b", "note:x1", "via-b+note:x1"],
    ["unknown", "b", "memo:1", "via-b+memo:1"],
    ["not a URI", "b", "memo", "via-b+memo"],
    ["a web link", "b", "https://example.org/", "https://example.org/"],
    ["a web link that a template of another matches", "b", "https://example.com/y", "https://example.com/y"],
    ["a web page that another server lists", "b", "https://example.com/listed", "via-b+https://example.com/listed"],
    ["a web page of templates of both", "a", "https://example.com/x1", "via-a+https://example.com/x1"],
    ["a template of this server", "a", "note:{id}", "note:{id}"],
    ["one that looks wrapped", "a", "via-b+file:///b", "via-a+via-b+file:///b"],
  ])("%s", ([, server, uri, expected]) => {
    expect(uris.toClient(server, uri)).toBe(expected);
  });

  test("a server that was not announced", () => {
    const error = { code: "INVALID_CONFIGURATION", message: expect.stringMatching(/the server "c"/) as string };
    expect(() => uris.toClient("c", "file:///a")).toThrow(expect.objectContaining(error) as Error);
    expect(() => uris.join([{ server: "c", items: [] }], [])).toThrow(expect.objectContaining(error) as Error);
    expect(uris.toServer("file:///a")).toEqual({ server: "a", uri: "file:///a" });
  });
});

describe("URIs that clients send", () => {
  const { uris } = joined(
    { a: ["file:///a", "both:1"], "B b": ["both:1"] },
    { a: ["file:///{+path}", "note:{id}", "same:{x}"], "B b": ["note:x{id}", "same:{y}"] },
  );

  test.for<[string, string, { server: string; uri: string } | undefined]>([
    ["listed", "file:///a", { server: "a", uri: "file:///a" }],
    ["matched by templates of one server", "file:///c", { server: "a", uri: "file:///c" }],
    ["matched by templates of both", "note:x1", undefined],
    ["listed by both", "both:1", undefined],
    ["wrapped", "via-b-b+both:1", { server: "B b", uri: "both:1" }],
    ["wrapped, in capitals", "VIA-B-B+both:1", { server: "B b", uri: "both:1" }],
    ["wrapped, unknown to the server", "via-a+memo:1", { server: "a", uri: "memo:1" }],
    ["wrapped with another label", "via-c+file:///a", undefined],
    ["an expanded template that is wrapped", "via-a+same:1", { server: "a", uri: "same:1" }],
    ["a template", "note:{id}", { server: "a", uri: "note:{id}" }],
    ["a template of both", "same:{x}", undefined],
    ["a wrapped template", "via-b-b+same:{y}", { server: "B b", uri: "same:{y}" }],
    ["unknown", "memo:1", undefined],
    ["empty", "", undefined],
  ])("%s", ([, uri, expected]) => {
    expect(uris.toServer(uri)).toEqual(expected);
  });
});

describe("a single server", () => {
  const odd = ["via-a+file:///a", "ui://via-a/x", "file:///a", "not a URI"];

  test("nothing is wrapped", () => {
    const { uris, resources, templates } = joined({ a: odd }, { a: ["via-a+x:{y}"] });
    expect(resources).toEqual(odd);
    expect(templates).toEqual(["via-a+x:{y}"]);
    for (const uri of [...odd, "memo:unknown"]) {
      expect(uris.toClient("a", uri)).toBe(uri);
      expect(uris.toServer(uri)).toEqual({ server: "a", uri });
    }
  });
});

test("no servers have no URIs", () => {
  const uris = new ResourceUris([]);
  expect(uris.join([], [])).toEqual({ resources: [], templates: [], refused: [] });
  expect(uris.toServer("file:///a")).toBeUndefined();
});

test("before the first lists, everything but web links is wrapped", () => {
  const uris = new ResourceUris(["a", "b"]);
  expect(uris.toClient("a", "file:///a")).toBe("via-a+file:///a");
  expect(uris.toClient("a", "https://example.com/")).toBe("https://example.com/");
  expect(uris.toServer("file:///a")).toBeUndefined();
});

describe("random lists", () => {
  const servers = ["a", "A", "a-2", "b c", "__proto__"];
  const uriPool = [
    "file:///a",
    "FILE:///a",
    "file:///a b",
    "file:///a%20b",
    "file:///x/1",
    "note:1",
    "note:{id}",
    "note:{!id}",
    "ui://chart",
    "ui://via-a/chart",
    "via-a+file:///a",
    "via-b-c+via-a+note:1",
    "VIA-a:1",
    " via-a+note:1",
    "https://example.com/",
    "constructor",
    "",
  ];
  const templatePool = [
    "file:///{x}",
    "file:///{+path}",
    "file:///x/{y}",
    "note:{id}",
    "note:{!id}",
    "note:{number}",
    "{+any}",
    "via-a+{+x}",
    "ui://{app}",
    "{{x}}",
    "https://{host}/",
  ];

  test("each URI reaches the server that it came from", () => {
    const random = randomFrom("resource uris");
    const some = <Item>(pool: readonly Item[]): Item[] => pool.filter(() => random() < 0.3);
    let kept = 0;
    let wrapped = 0;
    for (let round = 0; round < 600; round++) {
      const chosen = some(servers);
      const names = chosen.length > 1 ? chosen : servers;
      const uris = new ResourceUris(names);
      const listed = names.map((server) => ({ server, items: some(uriPool).map(resource) }));
      const listedTemplates = names.map((server) => ({ server, items: some(templatePool).map(template) }));
      const lists = uris.join(listed, listedTemplates);
      const shown = lists.resources[Symbol.iterator]();
      for (const { server, items } of listed)
        for (const { uri } of items) expect(uris.toServer(shown.next().value?.uri ?? "")).toEqual({ server, uri });
      const shownTemplates = lists.templates[Symbol.iterator]();
      for (const { server, items } of listedTemplates)
        for (const { uriTemplate: uri } of items) {
          const seen = shownTemplates.next().value?.uriTemplate ?? "";
          expect(uris.toServer(seen)).toEqual({ server, uri });
        }
      for (const server of names)
        for (const uri of uriPool) {
          const seen = uris.toClient(server, uri);
          if (seen === uri) kept++;
          else wrapped++;
          const isWebLink =
            seen === "https://example.com/" && !listed.some(({ items }) => items.some((item) => item.uri === uri));
          if (!isWebLink) expect(uris.toServer(seen), `${server} ${uri} ${seen}`).toEqual({ server, uri });
        }
    }
    expect(Math.min(kept, wrapped)).toBeGreaterThan(2_000);
  });

  test("resources that clients see have different URIs", () => {
    const random = randomFrom("different");
    for (let round = 0; round < 500; round++) {
      const { resources } = joined(
        Object.fromEntries(["a", "A", "b c"].map((server) => [server, uriPool.filter(() => random() < 0.5)])),
      );
      expect(new Set(resources).size).toBe(resources.length);
    }
  });
});

test("100,000 resources take little time", () => {
  const uris = new ResourceUris(["a", "b"]);
  const items = Array.from({ length: 100_000 }, (_, index) => resource(`file:///folder/${index}`));
  const templates = Array.from({ length: 100 }, (_, index) => template(`item:${index}/{id}`));
  const start = performance.now();
  const { resources } = uris.join(
    [
      { server: "a", items },
      { server: "b", items: items.slice(0, 50_000) },
    ],
    [{ server: "b", items: templates }],
  );
  for (const { uri } of resources) if (!uris.toServer(uri)) throw new Error(`${uri} is lost`);
  expect(performance.now() - start).toBeLessThan(5_000);
  expect(resources).toHaveLength(150_000);
  expect(resources.filter(({ uri }) => uri.startsWith("via-"))).toHaveLength(100_000);
});
