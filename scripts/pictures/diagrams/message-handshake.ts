import { respond, send, t, work, type SequenceSource } from "./diagram.js";
import { checkEnvelope, clientAndServer, dispatch, runHandler } from "./message-parts.js";

/** ARCHITECTURE.md, "One message, from stdin to stdout"; `runtime/src/http-server/endpoint.ts`. */
export const messageHandshake: SequenceSource = {
  kind: "sequence",
  name: "message-handshake",
  alt: t(
    "The client sends initialize, the server responds, and later requests rely on what both remember",
    "客户端发送 initialize，服务器响应，之后的请求依赖双方记住的内容",
  ),
  description: t(
    "Once: the client sends initialize with the revision it wants and its capabilities. The server responds with the revision that both use from now on, and its own capabilities. The client confirms with notifications/initialized. Each request: it passes the transport, the check of its envelope, the session, which knows revision and capabilities, the dispatch table with the check of its params, middleware and handler. The result is converted to the revision of the client and sent. Meanwhile, both ends may send requests and notifications: the server asks the user or the model of the client, and reports progress, log messages and changes.",
    "只做一次：客户端发送 initialize，说明想用的协议版本和自己的能力。服务器回应之后双方使用的协议版本和自己的能力。客户端用 notifications/initialized 确认。每个请求：依次经过传输、信封检查、会话（知道协议版本和能力）、分发表与参数检查、中间件和处理函数。结果转换为客户端的协议版本后发出。同时，两端都可以发送请求和通知：服务器可以询问用户或客户端的模型，并报告进度、日志和变化。",
  ),
  lanes: clientAndServer,
  sections: [
    {
      title: t("Once: the handshake", "只做一次：握手"),
      text: t("Revisions 2024-11-05 to 2025-11-25", "协议版本 2024-11-05 至 2025-11-25"),
      steps: [
        send(
          "client",
          "server",
          t("`initialize`", "`initialize`"),
          t("a revision, the client's capabilities", "协议版本、客户端的能力"),
        ),
        respond(
          "server",
          "client",
          t("the revision of the session", "会话的协议版本"),
          t(
            "and the server's capabilities; over HTTP, the header `Mcp-Session-Id`",
            "以及服务器的能力；HTTP 上还有 `Mcp-Session-Id` 头",
          ),
        ),
        send("client", "server", t("`notifications/initialized`", "`notifications/initialized`")),
      ],
    },
    {
      title: t("Each request", "每个请求"),
      steps: [
        send(
          "client",
          "server",
          t("`tools/call`", "`tools/call`"),
          t("over HTTP, with `Mcp-Session-Id`", "HTTP 上带有 `Mcp-Session-Id`"),
        ),
        work(
          "server",
          t("Transport", "传输"),
          t(
            "stdio: reads a line. HTTP: checks `Host`, `Origin` and token, and finds the session of the same user",
            "stdio：读取一行。HTTP：检查 `Host`、`Origin` 和令牌，并找到同一用户的会话",
          ),
        ),
        checkEnvelope,
        work(
          "server",
          t("Session", "会话"),
          t("knows the revision and the client's capabilities from the handshake", "从握手得知协议版本和客户端的能力"),
        ),
        dispatch,
        runHandler,
        work(
          "server",
          t("Result", "结果"),
          t(
            "is converted to the revision of the session, if that is another than yours",
            "如果会话的协议版本与你的不同，就进行转换",
          ),
        ),
        respond("server", "client", t("response", "响应")),
      ],
    },
    {
      title: t("Meanwhile, in both directions", "同时，双向进行"),
      steps: [
        send(
          "server",
          "client",
          t("requests", "请求"),
          t(
            "`elicitation/create`, `sampling/createMessage`, `roots/list`",
            "`elicitation/create`、`sampling/createMessage`、`roots/list`",
          ),
        ),
        respond("client", "server", t("responses", "响应")),
        send("server", "client", t("notifications", "通知"), t("progress, log messages, changes", "进度、日志、变化")),
      ],
    },
  ],
};
