import { respond, send, t, work, type SequenceSource } from "./diagram.js";

/** `docs/guide/protect.md`, `docs/guide/log-in.md`; `runtime/src/auth/`. */
export const authorization: SequenceSource = {
  kind: "sequence",
  name: "authorization",
  alt: t(
    "The client is refused, finds the authorization server, logs the user in, and calls again with a token",
    "客户端被拒绝，找到授权服务器，让用户登录，再带着令牌调用",
  ),
  description: t(
    "A request without a token gets 401 with the address of the metadata of the MCP server. The client reads there which authorization server to use, and reads that server's metadata. It uses a registered client id, a metadata document, or registers. It opens the log-in page in the browser, with PKCE and the URL of the MCP server as resource. The user logs in and consents; the browser returns to the client with a code. The client exchanges the code for an access token and a refresh token. It sends the request again with the access token. The MCP server verifies the token, with the keys of the issuer or by asking it, and serves the request. If a tool needs further scopes, the server responds with 403 and names them; the client asks the user again.",
    "没有令牌的请求得到 401，其中有 MCP 服务器元数据的地址。客户端从那里得知使用哪个授权服务器，并读取它的元数据。客户端使用已注册的 client id、元数据文档，或者动态注册。它在浏览器中打开登录页，带有 PKCE，并以 MCP 服务器的 URL 作为 resource。用户登录并同意；浏览器带着授权码返回客户端。客户端用授权码换取访问令牌和刷新令牌，然后带着访问令牌再次发送请求。MCP 服务器用签发者的密钥验证令牌，或向签发者查询，然后处理请求。如果某个工具需要更多权限范围，服务器以 403 回应并列出它们；客户端再次询问用户。",
  ),
  lanes: [
    { id: "user", name: t("Browser", "浏览器"), colour: "amber" },
    { id: "client", name: t("Client", "客户端"), colour: "blue" },
    { id: "mcp", name: t("MCP server", "MCP 服务器"), colour: "green" },
    { id: "auth", name: t("Auth server", "授权服务器"), colour: "violet" },
  ],
  sections: [
    {
      title: t("The client finds out where to log in", "客户端找到登录的地方"),
      steps: [
        send("client", "mcp", t("request without token", "没有令牌的请求")),
        respond("mcp", "client", t("401", "401"), t("scopes, `resource_metadata`", "权限范围、`resource_metadata`")),
        send("client", "mcp", t("metadata of the resource", "资源的元数据"), t("RFC 9728", "RFC 9728")),
        respond("mcp", "client", t("authorization servers", "授权服务器列表")),
        send(
          "client",
          "auth",
          t("metadata", "元数据"),
          t("RFC 8414 or OpenID Connect Discovery", "RFC 8414 或 OpenID Connect Discovery"),
        ),
        work(
          "client",
          undefined,
          t(
            "has a client id: registered before, the URL of its metadata document, or a registration now",
            "取得 client id：预先注册、元数据文档的 URL，或现在注册",
          ),
        ),
      ],
    },
    {
      title: t("The user logs in", "用户登录"),
      steps: [
        send(
          "client",
          "user",
          t("open the log-in page", "打开登录页"),
          t("with PKCE, `resource`, `state`", "带有 PKCE、`resource`、`state`"),
        ),
        send("user", "auth", t("log in and consent", "登录并同意")),
        respond("auth", "user", t("redirect with a code", "带着授权码重定向")),
        send("user", "client", t("code, `state`, `iss`", "授权码、`state`、`iss`")),
        send("client", "auth", t("code and PKCE verifier", "授权码和 PKCE verifier")),
        respond("auth", "client", t("access and refresh token", "访问令牌和刷新令牌")),
      ],
    },
    {
      title: t("Requests carry the token", "请求带着令牌"),
      steps: [
        send("client", "mcp", t("request with token", "带有令牌的请求")),
        work(
          "mcp",
          undefined,
          t(
            "verifies issuer, audience, expiry and scopes: with the issuer's keys, or by introspection",
            "验证签发者、受众、有效期和权限范围：用签发者的密钥，或通过 introspection 查询",
          ),
        ),
        respond("mcp", "client", t("result", "结果")),
        respond(
          "mcp",
          "client",
          t("or 403 `insufficient_scope`", "或 403 `insufficient_scope`"),
          t(
            "the client asks the user for these scopes, and sends the request again",
            "客户端向用户请求这些权限范围，然后再次发送请求",
          ),
        ),
      ],
    },
  ],
};
