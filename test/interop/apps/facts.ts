/** The tools and the app that the servers with apps have. */
export const appUri = "ui://interop/chart";
export const html = "<!doctype html><title>Chart</title>";

export const appMeta = {
  csp: { connectDomains: ["https://api.example.com"], resourceDomains: ["https://*.example.com"] },
  permissions: { clipboardWrite: {} },
  prefersBorder: true,
};

/** The tools: with what they say about apps, and what a client reads. */
export const tools = [
  { name: "chart", ui: { resourceUri: appUri }, app: { uri: appUri, model: true, app: true } },
  {
    name: "refresh",
    ui: { resourceUri: appUri, visibility: ["app" as const] },
    app: { uri: appUri, model: false, app: true },
  },
  { name: "explain", ui: { visibility: ["model" as const] }, app: { uri: undefined, model: true, app: false } },
];

/** The texts of the tool `chart`. */
export const texts = { withApps: "The chart shows it.", withoutApps: "20, 21, 19 degrees" };
export const structuredContent = { degrees: [20, 21, 19] };
