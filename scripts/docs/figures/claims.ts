import type { Claim, OtherNumbers } from "./claim.js";
import { pick, type Results, type Spread } from "./results.js";

/** The page of the measurements: each of its numbers is a figure, or listed below. */
export const performancePages = ["docs/reference/performance.md", "docs/zh/reference/performance.md"] as const;
const [performance, performanceZh] = performancePages;

/** All sentences that state figures of benchmarks. */
export function claimsOf(results: Results): readonly Claim[] {
  const { own, compared } = ratios(results);
  return [
    {
      page: "README.md",
      words:
        "A call costs {} times the CPU of a program that only echoes the bytes; the official SDK takes {} times as much as mcpwright",
      measured: [own, compared],
    },
    {
      page: "README.zh-CN.md",
      words: "一次调用的 CPU 开销是原样回显同样字节的程序的 {} 倍，官方 SDK 则是 mcpwright 的 {} 倍",
      measured: [own, compared],
    },
    ...measurements(results),
    ...prose(results),
    ...compat(results),
  ];
}

/** Numbers that are settings, counts or versions. */
export const otherNumbers: readonly OtherNumbers[] = [
  { page: performance, words: "| official SDK 1.x | official SDK 2.x |" },
  { page: performance, words: "over a million calls" },
  { page: performance, words: "A result of 1 MB or 10 MB" },
  { page: performance, words: "After a burst of 20, 50 notifications per second" },
  { page: performance, words: "Node 22.1" },
  { page: performanceZh, words: "| 官方 SDK 1.x | 官方 SDK 2.x |" },
  { page: performanceZh, words: "1 MB 或 10 MB 的结果" },
  { page: performanceZh, words: "连续 20 条之后，每次调用每秒最多发送 50 条通知" },
  { page: performanceZh, words: "Node 22.1" },
];

const sessions = (form: string): boolean => form.startsWith("2025-11-25, sessions");
const noSessions = (form: string): boolean => form.startsWith("2025-11-25, no sessions");
const stateless = (form: string): boolean => form.startsWith("2026-07-28");

function httpRatios(
  { http }: Results,
  name: (name: string) => boolean,
  form: (form: string) => boolean = () => true,
): readonly number[] {
  return pick(
    http.servers,
    (row) => name(row.name) && form(row.form),
    (row) => row.timesFloor.median,
  );
}

function stdioRatios({ stdio }: Results, name: (name: string) => boolean, revision = ""): readonly number[] {
  return pick(
    stdio.servers,
    (row) => name(row.name) && row.revision.startsWith(revision),
    (row) => row.timesFloor.median,
  );
}

const isOwn = (name: string): boolean => name === "mcpwright" || name === "mcpwright, serveHttp";
const isSdk1 = (name: string): boolean => name === "SDK 1.x";
const isSdk2 = (name: string): boolean => name.startsWith("SDK 2.x");

/** Our servers compared with the floors, and the official ones with ours, in the same form. */
function ratios(results: Results): { readonly own: readonly number[]; readonly compared: readonly number[] } {
  const { stdio, http } = results;
  const forms: readonly (readonly { readonly name: string; readonly timesFloor: Spread }[])[] = [
    ...["2025-11-25", "2026-07-28"].map((revision) => stdio.servers.filter((row) => row.revision === revision)),
    ...[...new Set(http.servers.map(({ form }) => form))].map((form) =>
      http.servers.filter((row) => row.form === form),
    ),
  ];
  const compared = forms.flatMap((rows) => {
    const [mine = Number.NaN] = pick(
      rows,
      ({ name }) => isOwn(name),
      (row) => row.timesFloor.median,
    );
    return rows.filter(({ name }) => isSdk1(name) || isSdk2(name)).map((row) => row.timesFloor.median / mine);
  });
  return { own: [...stdioRatios(results, isOwn), ...httpRatios(results, isOwn)], compared };
}

/** The table of the measurements. */
function measurements(results: Results): readonly Claim[] {
  const stdio = [stdioRatios(results, isOwn), stdioRatios(results, isSdk1), stdioRatios(results, isSdk2, "2025-11-25")];
  const http = (form: (form: string) => boolean): readonly (readonly number[])[] => [
    httpRatios(results, isOwn, form),
    httpRatios(results, isSdk1, form),
    httpRatios(results, isSdk2, form),
  ];
  const newest = [httpRatios(results, isOwn, stateless), httpRatios(results, isSdk2, stateless)];
  return [
    {
      page: performance,
      words:
        "[stdio server](../../bench/results/stdio.md), 2025-11-25, 64 concurrent calls, compared with the echo | {} | {} | {} |",
      measured: [stdioRatios(results, isOwn, "2025-11-25"), ...stdio.slice(1)],
    },
    {
      page: performance,
      words: "stdio server, 2026-07-28, compared with the echo | {} | – | {} |",
      measured: [stdioRatios(results, isOwn, "2026-07-28"), stdioRatios(results, isSdk2, "2026-07-28")],
    },
    { page: performance, words: "sessions, compared with bare `node:http` | {} | {} | {} |", measured: http(sessions) },
    {
      page: performance,
      words: "without sessions, compared with bare `node:http` | {} | {} | {} |",
      measured: http(noSessions),
    },
    {
      page: performance,
      words: "HTTP server, 2026-07-28, compared with bare `node:http` | {} | – | {} |",
      measured: newest,
    },
    {
      page: performanceZh,
      words:
        "[stdio 服务器](../../../bench/results/stdio.md)，2025-11-25，64 个并发调用，与回显程序相比 | {} | {} | {} |",
      measured: [stdioRatios(results, isOwn, "2025-11-25"), ...stdio.slice(1)],
    },
    {
      page: performanceZh,
      words: "stdio 服务器，2026-07-28，与回显程序相比 | {} | – | {} |",
      measured: [stdioRatios(results, isOwn, "2026-07-28"), stdioRatios(results, isSdk2, "2026-07-28")],
    },
    { page: performanceZh, words: "有会话，与裸 `node:http` 相比 | {} | {} | {} |", measured: http(sessions) },
    { page: performanceZh, words: "无会话，与裸 `node:http` 相比 | {} | {} | {} |", measured: http(noSessions) },
    { page: performanceZh, words: "HTTP 服务器，2026-07-28，与裸 `node:http` 相比 | {} | – | {} |", measured: newest },
  ];
}

/** The sentences of the page of the measurements. */
function prose(results: Results): readonly Claim[] {
  const { authorized, nodes, open, gateway } = results;
  const goal = (words: string, { goals }: Pick<Results["gateway"], "goals"> = gateway): readonly number[] =>
    pick(
      goals,
      (row) => row.goal.includes(words),
      (row) => row.measured,
    );
  const held = (name: string): number =>
    pick(
      open.rows,
      (row) => row.name === name,
      (row) => row.bytesEach,
    )[0] ?? Number.NaN;
  const floor = held("open response of bare node:http");
  const both = (en: string, zh: string, ...measured: readonly (readonly number[])[]): readonly Claim[] => [
    { page: performance, words: en, measured },
    { page: performanceZh, words: zh, measured },
  ];
  return [
    ...both("An idle session holds {} kB of heap", "空闲会话占用 {} kB 堆内存", [held("idle session") / 1000]),
    ...both("an open stream {} kB more than", "打开的流比裸 `node:http` 的响应多占 {} kB", [
      (held("session with a GET stream") - floor) / 1000,
      (held("subscriptions/listen stream") - floor) / 1000,
    ]),
    ...both(
      "already verified takes {} times the CPU of the same call without authorization",
      "令牌已经验证过的 HTTP 调用，CPU 是同样但没有授权的调用的 {} 倍",
      goal("a verified, cached JWT", authorized),
    ),
    ...both("With a DPoP proof, it takes {} times that CPU", "带有 DPoP 证明时是 {} 倍", goal("DPoP", authorized)),
    ...both("takes {} times the CPU of the same call without a backplane", "CPU 是没有背板的同样调用的 {} 倍", [
      nodes.timesAlone.median,
    ]),
    ...both("it takes {} times the CPU of one node", "三个节点时，CPU 是一个节点的 {} 倍", [nodes.timesOne.median]),
    ...both(
      "over stdio takes {} times the CPU of a direct call",
      "stdio 上经过[网关](../guide/gateway.md)的调用，所有进程的 CPU 合计是直接调用的 {} 倍",
      goal("through the gateway: CPU"),
    ),
    ...both(
      "together, and {} times if the gateway also converts",
      "如果网关还要转换协议版本，则是 {} 倍",
      goal("through the gateway to a server"),
    ),
    ...both("In front of {} servers", "在 {} 个服务器前面", [100]),
    ...both(
      "a list takes {} times the CPU of one server",
      "一次列表的 CPU 是工具数量相同的一个服务器的 {} 倍",
      goal("tools/list of"),
    ),
    ...both(
      "server on HTTP takes {} times the CPU of mcp-proxy",
      "把 stdio 服务器放到 HTTP 上的进程，CPU 是 mcp-proxy 的 {} 倍",
      gateway.fronts.map(({ ratio }) => ratio.median),
    ),
    ...both(
      "the `fetch` handler takes {} times the CPU of bare `node:http`",
      "`fetch` 处理函数的 CPU 是裸 `node:http` 的 {} 倍",
      httpRatios(results, (name) => name === "mcpwright, fetch on @hono/node-server"),
    ),
    ...both(
      "it takes {} times; there, a handler that only echoes takes {} times",
      "则是 {} 倍；在那里，只做回显的处理函数是 {} 倍",
      httpRatios(results, (name) => name === "mcpwright, fetch on a plain bridge"),
      httpRatios(results, (name) => name === "bare fetch on a plain bridge"),
    ),
  ];
}

/** The costs of the API of the official SDK. */
function compat({ compat: { rows } }: Results): readonly Claim[] {
  const times = (name: string, inForms: readonly string[], perRequest = false): readonly number[] =>
    pick(
      rows,
      (row) => row.name.startsWith(name) && inForms.some((form) => row.form.startsWith(form)),
      (row) => (perRequest ? (row.timesFactory?.median ?? Number.NaN) : row.timesNative.median),
    );
  const loops = ["stdio", "HTTP, 2025-11-25, sessions"];
  const single = ["HTTP, 2025-11-25, no sessions", "HTTP, 2026-07-28"];
  const claims: readonly (readonly [en: string, zh: string, measured: readonly number[]])[] = [
    [
      "A tool call costs {} times the CPU of our native API with 2.x",
      "一次工具调用的 CPU 开销是我们原生 API 的 {} 倍",
      times("compat 2.x", loops),
    ],
    ["the official SDK costs {} times.", "官方 SDK 是 {} 倍。", times("SDK 2.x", loops)],
    ["With 1.x, it costs {} times.", "对于 1.x，是 {} 倍。", times("compat 1.x", loops)],
    [
      "a server for each request costs {} times as much as",
      "开销是同样这样做的原生程序的 {} 倍",
      times("compat", single, true),
    ],
    [
      "and {} times as much as a native program with a single server",
      "是只用一个服务器的原生程序的 {} 倍",
      times("compat", single),
    ],
    ["With the official SDK, it costs {} times as much as", "使用官方 SDK 时，是后者的 {} 倍", times("SDK", single)],
  ];
  return claims.flatMap(([en, zh, measured]) => [
    { page: "docs/guide/compat.md", words: en, measured: [measured] },
    { page: "docs/zh/guide/compat.md", words: zh, measured: [measured] },
  ]);
}
