import { type Lane, t, work } from "./diagram.js";

/** What the ways of a message have in common in both eras. */
export const clientAndServer: readonly Lane[] = [
  { id: "client", name: t("Client", "客户端"), colour: "blue" },
  { id: "server", name: t("Server", "服务器"), colour: "green" },
];

export const checkEnvelope = work(
  "server",
  t("Envelope", "信封"),
  t("checks JSON-RPC; separates requests, responses and notifications", "检查 JSON-RPC；区分请求、响应和通知"),
);

export const dispatch = work(
  "server",
  t("Dispatch table", "分发表"),
  t(
    "finds the handler; one predicate of this revision checks the params",
    "找到处理函数；由该协议版本的一个类型谓词检查参数",
  ),
);

export const runHandler = work(
  "server",
  t("Middleware and handler", "中间件和处理函数"),
  t("the arguments are validated, then your tool runs", "先校验参数，再运行你的工具"),
);
