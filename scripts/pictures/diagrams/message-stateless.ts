import { respond, send, t, work, type SequenceSource } from "./diagram.js";
import { checkEnvelope, clientAndServer, dispatch, runHandler } from "./message-parts.js";

/** ARCHITECTURE.md, "One message, from stdin to stdout"; `runtime/src/server/stateless/`. */
export const messageStateless: SequenceSource = {
  kind: "sequence",
  name: "message-stateless",
  alt: t(
    "Each request carries revision and capabilities, and any process handles it",
    "每个请求都携带协议版本和能力，任何进程都能处理它",
  ),
  description: t(
    "At the start, a client can ask with server/discover which revisions and capabilities the server has. Each request names its revision and the capabilities of its client in its metadata. It passes the transport, the check of its envelope, its metadata, the dispatch table with the check of its params, the opening of a requestState if it has one, middleware and handler. The result gets a resultType: complete, or input_required if the server needs an answer of the user. Notifications that belong to no request arrive on a stream that the client opened with subscriptions/listen.",
    "开始时，客户端可以用 server/discover 询问服务器支持的协议版本和能力。每个请求在元数据中写明协议版本和客户端的能力。它依次经过传输、信封检查、元数据、分发表与参数检查，如果带有 requestState 就解密，然后是中间件和处理函数。结果带有 resultType：complete，或者在服务器需要用户回答时为 input_required。不属于任何请求的通知，通过客户端用 subscriptions/listen 打开的流到达。",
  ),
  lanes: clientAndServer,
  sections: [
    {
      title: t("At the start, if the client wants", "开始时，由客户端决定"),
      text: t("Revision 2026-07-28", "协议版本 2026-07-28"),
      steps: [
        send("client", "server", t("`server/discover`", "`server/discover`")),
        respond("server", "client", t("revisions and capabilities", "协议版本和能力")),
      ],
    },
    {
      title: t("Each request, to any process", "每个请求，可发给任何进程"),
      steps: [
        send(
          "client",
          "server",
          t("`tools/call` with `_meta`", "带有 `_meta` 的 `tools/call`"),
          t("revision, the client's capabilities and name", "协议版本、客户端的能力和名称"),
        ),
        work(
          "server",
          t("Transport", "传输"),
          t(
            "stdio: reads a line. HTTP: checks `Host`, `Origin` and token, and compares headers such as `Mcp-Method` with the body",
            "stdio：读取一行。HTTP：检查 `Host`、`Origin` 和令牌，并把 `Mcp-Method` 等头与正文比较",
          ),
        ),
        checkEnvelope,
        work(
          "server",
          t("Metadata", "元数据"),
          t("names revision and capabilities: no session is needed", "写明协议版本和能力：不需要会话"),
        ),
        dispatch,
        work(
          "server",
          t("Request state", "请求状态"),
          t("a retry's `requestState` is decrypted", "重试带来的 `requestState` 在此解密"),
        ),
        runHandler,
        work(
          "server",
          t("Result", "结果"),
          t(
            "gets its `resultType`: `complete` or `input_required`",
            "加上 `resultType`：`complete` 或 `input_required`",
          ),
        ),
        respond(
          "server",
          "client",
          t("response", "响应"),
          t("over HTTP, its progress and log messages come before it", "HTTP 上，进度和日志在它之前到达"),
        ),
      ],
    },
    {
      title: t("Changes of lists and resources", "列表和资源的变化"),
      steps: [
        send(
          "client",
          "server",
          t("`subscriptions/listen`", "`subscriptions/listen`"),
          t("which changes it wants to know about", "想知道哪些变化"),
        ),
        send("server", "client", t("acknowledgement", "确认"), t("which of them it will send", "其中哪些会发送")),
        send(
          "server",
          "client",
          t("notifications", "通知"),
          t("until the client ends the stream", "直到客户端结束这个流"),
        ),
      ],
    },
  ],
};
