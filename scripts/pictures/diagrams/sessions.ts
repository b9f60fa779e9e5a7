import { respond, send, t, work, type SequenceSource } from "./diagram.js";

/** `docs/guide/cluster.md`; `runtime/src/backplane/`. */
export const sessions: SequenceSource = {
  kind: "sequence",
  name: "sessions",
  alt: t(
    "Requests of one session arrive at several nodes, which share its record through a backplane",
    "同一会话的请求到达多个节点，它们通过背板共享会话的记录",
  ),
  description: t(
    "A client opens a session at node 1, which stores the record of the session in Redis. The next request of the session reaches node 2. It reads the record, makes a session of its own from it, and runs the tool. When the tool asks the user, the answer of the client may reach node 1, which passes it on to node 2 over Redis. Changes of lists and resources are written to a log in Redis; the node with the newest stream of the client sends them. Requests of the stateless revision need none of this: any node serves them without Redis.",
    "客户端在节点 1 打开会话，节点 1 把会话的记录存入 Redis。会话的下一个请求到达节点 2。节点 2 读取记录，据此建立自己的会话对象，并运行工具。工具询问用户时，客户端的答案可能到达节点 1，节点 1 经 Redis 把它转给节点 2。列表和资源的变化写入 Redis 中的日志，由持有客户端最新流的节点发出。无状态版本的请求不需要这些：任何节点都能处理，不用 Redis。",
  ),
  lanes: [
    { id: "client", name: t("Client", "客户端"), colour: "blue" },
    { id: "one", name: t("Node 1", "节点 1"), colour: "green" },
    { id: "two", name: t("Node 2", "节点 2"), colour: "violet" },
    { id: "redis", name: t("Redis", "Redis"), colour: "amber" },
  ],
  sections: [
    {
      title: t("A session opens at one node", "会话在一个节点打开"),
      steps: [
        send("client", "one", t("`initialize`", "`initialize`")),
        send(
          "one",
          "redis",
          t("the record of the session", "会话的记录"),
          t("revision, capabilities, user", "协议版本、能力、用户"),
        ),
        respond("one", "client", t("`Mcp-Session-Id`", "`Mcp-Session-Id`")),
      ],
    },
    {
      title: t("Its next request reaches another", "下一个请求到达另一个节点"),
      steps: [
        send("client", "two", t("`tools/call` with the id", "带有会话 id 的 `tools/call`")),
        send("two", "redis", t("read the record", "读取记录")),
        work(
          "two",
          undefined,
          t("makes a session from the record and runs the tool", "据此建立会话对象，运行工具"),
          190,
        ),
        respond(
          "two",
          "client",
          t("a question to the user", "给用户的问题"),
          t("on the stream of the response", "在响应的流上"),
        ),
        send("client", "one", t("the answer, at any node", "答案，可到达任何节点")),
        send("one", "redis", t("message for node 2", "给节点 2 的消息")),
        send("redis", "two", t("its inbox", "它的收件日志")),
        respond("two", "client", t("the result of the tool", "工具的结果")),
      ],
    },
    {
      title: t("A list or resource changes", "列表或资源发生变化"),
      steps: [
        send("two", "redis", t("the change, to the log of the server", "变化，写入服务器的日志")),
        send("redis", "one", t("to all nodes", "到所有节点")),
        send(
          "one",
          "client",
          t("notification", "通知"),
          t("the node with the newest stream of the client sends it, once", "由持有客户端最新流的节点发送，只发一次"),
        ),
      ],
    },
    {
      title: t("Stateless requests need no Redis", "无状态请求不需要 Redis"),
      steps: [
        send("client", "two", t("`tools/call` with `_meta`", "带有 `_meta` 的 `tools/call`")),
        respond("two", "client", t("result", "结果")),
      ],
    },
  ],
};
