import { parseUrl } from "../../jsonrpc/parse-url.js";
import type { OAuthProxyOptions } from "../oauth-proxy-options.js";
import type { PendingAuthorization } from "../proxy-pages.js";
import { displayText, html, type Html } from "../../pages/html.js";

/** What the consent page shows and sends. */
export interface ConsentForm {
  readonly pending: PendingAuthorization;
  readonly options: OAuthProxyOptions;
  /** Proves that the form comes from this page in this browser. */
  readonly csrf: string;
  /** The days after which a remembered consent ends; undefined when the user is asked each time. */
  readonly rememberDays: number | undefined;
}

/** The name of the client for titles: its own, which proves nothing, or its id. */
export function clientNameOf({ clientName = "", clientId }: PendingAuthorization): string {
  return displayText(clientName, 80) || displayText(clientId, 80);
}

/** Asks the user whether a client may use the MCP server (MCP, security best practices: confused deputy). */
export function consentPage({ pending, options, csrf, rememberDays }: ConsentForm): Html {
  const { upstream } = options;
  const service = displayText(options.serviceName ?? new URL(options.resource).host, 80);
  const name = clientNameOf(pending);
  return html`<p>
      <strong>${name}</strong> wants to use <strong>${service}</strong> with your account of
      <strong>${upstream.name}</strong>.
    </p>
    <dl>
      <div>
        <dt>You will be sent back to</dt>
        <dd class="host">${redirectHost(pending.redirectUri)}</dd>
        <dd><code>${displayText(pending.redirectUri, 300)}</code></dd>
      </div>
      <div>
        <dt>Application</dt>
        <dd>${identityOf(pending)}</dd>
      </div>
    </dl>
    ${warningOf(pending)}
    <h2>It will be able to</h2>
    <ul>
      ${pending.scopes.map((scope) => html`<li>${describeScope(scope, options)}</li>`)}
    </ul>
    <h2>Next step</h2>
    <p>
      You log in at <strong>${upstream.name}</strong> (<code>${hostOf(upstream.issuer)}</code>).${accessOf(options)}
    </p>
    <form method="post">
      <input type="hidden" name="csrf" value="${csrf}" />
      ${
        rememberDays === undefined
          ? undefined
          : html`<label
              ><input type="checkbox" name="remember" value="yes" />
              <span>Do not ask again in this browser for ${String(rememberDays)} days</span></label
            >`
      }
      <div class="buttons">
        <button class="allow" name="decision" value="allow">Allow</button>
        <button name="decision" value="deny">Deny</button>
      </div>
    </form>
    <p class="quiet">Allow this only if you have just started the log-in in this application yourself.</p>`;
}

/** The host of a redirect URI: where the user and the authorization code go. */
export function redirectHost(redirectUri: string): string {
  const url = new URL(redirectUri);
  if (isLoopbackRedirect(redirectUri)) return `this computer (${url.hostname})`;
  return url.protocol === "https:" ? url.hostname : `an application on this device (${url.protocol})`;
}

/** Whether a program on the user's computer receives the authorization code. */
export function isLoopbackRedirect(redirectUri: string): boolean {
  // Browsers resolve all names below localhost to the loopback address, and the unspecified address, too.
  return /^(?:(?:.+\.)?localhost\.?|(?:127\.\d+\.\d+|0\.0\.0)\.\d+|\[::1?\])$/.test(new URL(redirectUri).hostname);
}

/** Whether the redirect URI proves which application receives the code: a host on the internet, with https. */
export function isWebRedirect(redirectUri: string): boolean {
  return new URL(redirectUri).protocol === "https:" && !isLoopbackRedirect(redirectUri);
}

function identityOf({ clientId, clientKind }: PendingAuthorization): Html {
  if (clientKind === "known") return html`Known to this service as <code>${displayText(clientId, 100)}</code>`;
  if (clientKind === "registered") return html`Has registered itself. Its name was not checked.`;
  return html`Published by <strong>${hostOf(clientId)}</strong> (<code>${displayText(clientId, 300)}</code>)`;
}

function warningOf(pending: PendingAuthorization): Html | undefined {
  const { redirectUri, clientKind } = pending;
  if (isLoopbackRedirect(redirectUri))
    return html`<p class="warning" role="note">
      <strong>This application runs on your computer.</strong> Any program on it can pretend to be
      ${clientNameOf(pending)}. Deny this unless you have just started it.
    </p>`;
  if (!isWebRedirect(redirectUri))
    return html`<p class="warning" role="note">
      <strong>This application runs on your device.</strong> Other programs can claim its address
      <code>${new URL(redirectUri).protocol}</code>. Deny this unless you have just started it.
    </p>`;
  if (clientKind === "document" && hostOf(pending.clientId) !== new URL(redirectUri).hostname)
    return html`<p class="warning" role="note">
      <strong>The hosts differ.</strong> The application is published by ${hostOf(pending.clientId)}, but sends you to
      ${new URL(redirectUri).hostname}.
    </p>`;
  return undefined;
}

function describeScope(scope: string, { scopes }: OAuthProxyOptions): Html {
  const text = scopes && Object.hasOwn(scopes, scope) ? scopes[scope] : undefined;
  return text ? html`${text} <span class="quiet">(<code>${scope}</code>)</span>` : html`<code>${scope}</code>`;
}

/** The access that the service itself gets at the provider. */
function accessOf({ upstream: { name, scopes } }: OAuthProxyOptions): Html | undefined {
  if (scopes.length === 0) return undefined;
  const list = scopes.map((scope, at) => html`${at === 0 ? "" : ", "}<code>${scope}</code>`);
  return html` The service asks ${name} for: ${list}.`;
}

function hostOf(url: string): string {
  return parseUrl(url)?.hostname ?? displayText(url, 100);
}
