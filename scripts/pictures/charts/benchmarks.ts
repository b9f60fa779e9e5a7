import type { Results, Spread } from "../../docs/figures/results.js";
import { t } from "../diagrams/diagram.js";
import type { Texts } from "../drawing/texts.js";
import type { Bar, BarGroup, ChartSource } from "./chart.js";

/** Names of subjects that a reader of Chinese would not understand as they are. */
const chineseNames: Readonly<Record<string, string>> = {
  "raw echo, coalesced writes": "原样回显，合并写入",
  "bare node:http": "裸 node:http",
};
const measured = t(
  "Bars: medians; thin lines: least to most of the rounds. Less is better.",
  "色条：中位数；细线：各轮的最小到最大。越小越好。",
);

/** The charts of `docs/reference/performance.md`. */
export function benchmarkCharts({ stdio, http, gateway }: Results): readonly ChartSource[] {
  return [
    {
      kind: "chart",
      name: "bench-stdio",
      ...described(
        t(
          "CPU per call over stdio, compared with a program that only echoes",
          "stdio 上每次调用的 CPU，与只做回显的程序相比",
        ),
        ["2025-11-25", "2026-07-28"].map((revision) => ({
          title: t(revision, revision),
          bars: stdio.servers
            .filter((row) => row.revision === revision && row.name !== "raw echo, a write per reply")
            .map((row) => bar(row.name, row.timesFloor)),
        })),
      ),
    },
    {
      kind: "chart",
      name: "bench-http",
      ...described(
        t("CPU per call over HTTP, compared with bare node:http", "HTTP 上每次调用的 CPU，与裸 node:http 相比"),
        [
          ["2025-11-25, sessions, JSON", t("2025-11-25, sessions", "2025-11-25，有会话")],
          ["2025-11-25, no sessions, SSE", t("2025-11-25, no sessions", "2025-11-25，无会话")],
          ["2026-07-28, JSON", t("2026-07-28", "2026-07-28")],
        ].map(([form, title]) => ({
          title: title as Texts,
          bars: http.servers
            .filter((row) => row.form === form && !row.name.includes("fetch on"))
            .map((row) => bar(row.name, row.timesFloor)),
        })),
      ),
    },
    {
      kind: "chart",
      name: "bench-gateway",
      ...described(
        t(
          "CPU of a process that puts a stdio server on HTTP, compared with mcp-proxy",
          "把 stdio 服务器放到 HTTP 上的进程的 CPU，与 mcp-proxy 相比",
        ),
        gateway.fronts.map(({ name, ratio }) => ({
          title: t(name, name.replace("clients ", "客户端 ").replace(", ", "，")),
          bars: [
            { name: t("mcp-proxy", "mcp-proxy"), value: 1, range: [1, 1], role: "peer" },
            bar("mcpwright gateway", ratio),
          ],
        })),
      ),
    },
  ];
}

function bar(name: string, { median, least, most }: Spread): Bar {
  const isFloor = name.startsWith("raw ") || name.startsWith("bare ");
  return {
    name: t(name, chineseNames[name] ?? name),
    value: median,
    range: [least, most],
    role: name.startsWith("mcpwright") ? "own" : isFloor ? "floor" : "peer",
  };
}

function described(title: Texts, groups: readonly BarGroup[]): Omit<ChartSource, "kind" | "name"> {
  const listed = (language: keyof Texts): string =>
    groups
      .map(({ title, bars }) => {
        const values = bars.map(({ name, value }) => `${name[language]} ${value.toFixed(2)}`);
        return language === "en" ? `${title.en}: ${values.join("; ")}.` : `${title.zh}：${values.join("；")}。`;
      })
      .join(" ");
  return { title, measure: measured, alt: title, description: t(listed("en"), listed("zh")), groups };
}
