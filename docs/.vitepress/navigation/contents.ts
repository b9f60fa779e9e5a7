/** A text in both languages. */
export interface Text {
  readonly en: string;
  readonly zh: string;
}

/** A group of pages in the sidebar. Pages are paths in `docs/` without `.md`; their titles come from the pages. */
export interface Group {
  readonly title: Text;
  readonly pages: readonly string[];
}

/** A part of the site: an entry at the top of each page, and a sidebar. */
export interface Part {
  readonly title: Text;
  /** The page that the entry at the top leads to. */
  readonly first: string;
  readonly groups: readonly Group[];
}

/** All pages of `docs/`, in the order in which the site shows them. The pages below `reference/api/` add themselves. */
export const contents: readonly Part[] = [
  {
    title: { en: "Guide", zh: "指南" },
    first: "tutorial/first-server",
    groups: [
      { title: { en: "Start", zh: "入门" }, pages: ["README", "tutorial/first-server"] },
      {
        title: { en: "A real server", zh: "真正的服务器" },
        pages: [
          "tutorial/database",
          "tutorial/resources",
          "tutorial/http",
          "tutorial/log-in",
          "tutorial/users",
          "tutorial/deploy",
        ],
      },
      {
        title: { en: "Concepts", zh: "概念" },
        pages: [
          "concepts/eras",
          "concepts/asking-the-user",
          "concepts/sessions",
          "concepts/extensions",
          "concepts/authorization",
          "concepts/terms",
        ],
      },
      {
        title: { en: "Servers", zh: "服务器" },
        pages: [
          "guide/servers",
          "guide/resources",
          "guide/user-input",
          "guide/server-options",
          "guide/server-state",
          "guide/server-per-client",
          "guide/low-level",
          "guide/from-openapi",
        ],
      },
      {
        title: { en: "Extensions", zh: "扩展" },
        pages: [
          "guide/tasks",
          "guide/task-stores",
          "guide/task-clients",
          "guide/apps",
          "guide/app-hosts",
          "guide/skills",
          "guide/extensions",
          "guide/extension-settings",
        ],
      },
      {
        title: { en: "Clients", zh: "客户端" },
        pages: [
          "guide/clients",
          "guide/client-questions",
          "guide/client-changes",
          "guide/http-clients",
          "guide/log-in",
          "guide/log-in-web",
          "guide/services",
          "guide/hosts",
        ],
      },
      {
        title: { en: "HTTP", zh: "HTTP" },
        pages: ["guide/http-servers", "guide/http-options", "guide/http-streams", "guide/transports"],
      },
      {
        title: { en: "Authorization", zh: "授权" },
        pages: [
          "guide/protect",
          "guide/protect-scopes",
          "guide/protect-tokens",
          "guide/third-party-login",
          "guide/third-party-providers",
          "guide/third-party-production",
        ],
      },
      {
        title: { en: "Operation", zh: "运行" },
        pages: [
          "guide/deploying",
          "guide/cluster",
          "guide/cluster-sessions",
          "guide/cluster-redis",
          "guide/rate-limits",
          "guide/telemetry",
          "guide/security",
          "guide/troubleshooting",
        ],
      },
      {
        title: { en: "Gateway", zh: "网关" },
        pages: [
          "guide/gateway",
          "guide/gateway-control",
          "guide/gateway-one-address",
          "guide/gateway-old-hosts",
          "guide/gateway-many-users",
          "guide/gateway-log-in",
          "guide/gateway-fewer-tools",
        ],
      },
      {
        title: { en: "Test and maintain", zh: "测试与维护" },
        pages: [
          "guide/testing",
          "guide/stay-current",
          "guide/regenerating",
          "guide/migrating",
          "guide/migrating-1x",
          "guide/migrating-log-in",
          "guide/migrating-tasks",
          "guide/compat",
        ],
      },
    ],
  },
  {
    title: { en: "Commands", zh: "命令" },
    first: "cli/new",
    groups: [
      {
        title: { en: "Write a server", zh: "编写服务器" },
        pages: ["cli/new", "cli/update", "cli/compile", "cli/dev", "cli/inspect", "cli/bind"],
      },
      {
        title: { en: "Use and publish it", zh: "使用与发布" },
        pages: ["cli/install", "cli/bundle", "cli/manifest", "cli/login", "cli/logout"],
      },
      { title: { en: "Gateway", zh: "网关" }, pages: ["cli/gateway", "cli/gateway-lock"] },
      {
        title: { en: "Check and keep up", zh: "检查与更新" },
        pages: ["cli/validate", "cli/doctor", "cli/outdated", "cli/migrate", "cli/completion"],
      },
      {
        title: { en: "Protocol and generator", zh: "协议与生成器" },
        pages: [
          "cli/generate",
          "cli/vendor",
          "cli/diff",
          "cli/explain",
          "cli/revisions",
          "cli/model",
          "cli/compare-schema",
        ],
      },
    ],
  },
  {
    title: { en: "Reference", zh: "参考" },
    first: "reference/api/README",
    groups: [
      {
        title: { en: "Look up", zh: "查阅" },
        pages: [
          "reference/api/README",
          "reference/official-names",
          "reference/performance",
          "reference/security-requirements",
          "reference/overlay",
          "reference/schema-grammar",
        ],
      },
      { title: { en: "Policies", zh: "政策" }, pages: ["versioning", "dependency-policy"] },
      {
        title: { en: "Contribute", zh: "参与开发" },
        pages: ["contributing/rules", "contributing/revisions", "contributing/extensions", "contributing/transports"],
      },
      {
        title: { en: "What works with what", zh: "兼容情况" },
        pages: ["reference/features", "reference/interoperability", "reference/conformance", "gateway-matrix"],
      },
      {
        title: { en: "Errors", zh: "错误" },
        pages: [
          "reference/errors/README",
          "reference/errors/client",
          "reference/errors/client-results",
          "reference/errors/server",
          "reference/errors/server-requests",
          "reference/errors/server-handlers",
          "reference/errors/http",
        ],
      },
      {
        title: { en: "Revisions", zh: "协议版本" },
        pages: [
          "reference/revisions/README",
          "reference/revisions/2025-11-25-to-2026-07-28",
          "reference/revisions/2025-06-18-to-2025-11-25",
          "reference/revisions/2025-03-26-to-2025-06-18",
          "reference/revisions/2024-11-05-to-2025-03-26",
          "reference/revisions/losses",
          "reference/revisions/rules",
        ],
      },
    ],
  },
];
