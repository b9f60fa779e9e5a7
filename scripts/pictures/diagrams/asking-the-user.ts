import { respond, send, t, work, type SequenceSource } from "./diagram.js";

/** `docs/guide/user-input.md`. */
export const askingTheUser: SequenceSource = {
  kind: "sequence",
  name: "asking-the-user",
  alt: t(
    "In the handshake era the server sends a request while the call waits; in the stateless era the call returns the question and is sent again with the answer",
    "在握手时代，服务器在调用等待期间发送请求；在无状态时代，调用返回问题，然后带着回答再次发送",
  ),
  description: t(
    "Your code asks in one of three ways: inputRequests names the questions before the callback runs, return inputRequired asks in rounds, and await context.elicit waits in the middle of the callback. To a client of a handshake revision, each question is a request of the server, which the client answers while the call goes on. A client of the stateless revision gets a result input_required with the questions and an encrypted requestState; when the user has answered, it sends the call again with the answers and the requestState. Then a callback with inputRequests runs once, one with inputRequired runs again, and one that waits goes on.",
    "代码用三种方式之一提问：inputRequests 在回调运行之前给出问题，return inputRequired 分轮提问，await context.elicit 在回调中途等待。对握手版本的客户端，每个问题是服务器发出的请求，客户端在调用进行期间回答。无状态版本的客户端收到 input_required 结果，其中有问题和加密的 requestState；用户回答后，它带着答案和 requestState 再次发送调用。这时，使用 inputRequests 的回调运行一次，使用 inputRequired 的回调再次运行，等待中的回调继续运行。",
  ),
  lanes: [
    { id: "user", name: t("User", "用户"), colour: "amber" },
    { id: "client", name: t("Client", "客户端"), colour: "blue" },
    { id: "server", name: t("Server", "服务器"), colour: "green" },
  ],
  cards: {
    title: t("Three ways in your code", "代码中的三种方式"),
    cards: [
      {
        title: t("`inputRequests`", "`inputRequests`"),
        text: t(
          "Questions before the callback. It runs once, with all answers.",
          "在回调之前提问。回调只运行一次，拿到全部答案。",
        ),
        colour: "violet",
      },
      {
        title: t("`return inputRequired(…)`", "`return inputRequired(…)`"),
        text: t("Questions in rounds. The callback runs again after each round.", "分轮提问。每轮之后回调再次运行。"),
        colour: "violet",
      },
      {
        title: t("`await context.elicit(…)`", "`await context.elicit(…)`"),
        text: t(
          "A question in the middle. The callback waits, in the memory of its process.",
          "在中途提问。回调在自己进程的内存中等待。",
        ),
        colour: "violet",
      },
    ],
  },
  sections: [
    {
      title: t("Handshake revisions: a request", "握手版本：一个请求"),
      steps: [
        send("client", "server", t("`tools/call`", "`tools/call`")),
        send("server", "client", t("`elicitation/create`", "`elicitation/create`"), t("the question", "问题")),
        send("client", "user", t("form or URL", "表单或 URL")),
        respond("user", "client", t("accept, decline or cancel", "接受、拒绝或取消")),
        respond("client", "server", t("the answer", "答案")),
        respond("server", "client", t("the result of the tool", "工具的结果")),
      ],
    },
    {
      title: t("Stateless revision: a result, then a retry", "无状态版本：一个结果，再重试"),
      steps: [
        send("client", "server", t("`tools/call`", "`tools/call`")),
        respond(
          "server",
          "client",
          t("`input_required`", "`input_required`"),
          t("the questions, and an encrypted `requestState`", "问题，以及加密的 `requestState`"),
        ),
        send("client", "user", t("form or URL", "表单或 URL")),
        respond("user", "client", t("accept, decline or cancel", "接受、拒绝或取消")),
        send(
          "client",
          "server",
          t("`tools/call` again", "再次 `tools/call`"),
          t(
            "with the answers and the `requestState`, to any process with the same `stateKeys`",
            "带着答案和 `requestState`，可发给任何有相同 `stateKeys` 的进程",
          ),
        ),
        work(
          "server",
          undefined,
          t(
            "`await context.elicit` goes on in the process that waits: without a backplane, the retry must reach it",
            "`await context.elicit` 在等待的进程中继续：没有背板时，重试必须到达那个进程",
          ),
        ),
        respond("server", "client", t("`complete`", "`complete`"), t("the result of the tool", "工具的结果")),
      ],
    },
  ],
};
