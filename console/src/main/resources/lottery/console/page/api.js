/** Calls the REST API, as any other caller does, with the session of whoever has logged in. */

import { locale } from './language.js';

const KEPT = 'lottery.player';
const ANSWER_WAIT_MAX = 15_000;
const STREAM_MAX = 330_000;

/** Who plays: {name, roles, csrfToken}; null if nobody has logged in. */
let player = null;

export const currentPlayer = () => player;

/** A request that was refused. The problem document says why, in the language of the page. */
export class Refusal extends Error {
  constructor(status, problem, retryAfter) {
    super(problem.detail ?? problem.title ?? String(status));
    this.status = status;
    this.code = problem.code ?? '';
    this.title = problem.title ?? '';
    this.findings = problem.findings ?? [];
    this.retryable = problem.retryable ?? status === 429;
    this.retryAfter = retryAfter;
  }
}

/** No answer came: what became of the request is not known. */
export class Unreachable extends Error {}

/** Another tab may have begun a session of its own. Its cookie is the one that counts. */
function csrfToken() {
  const cookie = document.cookie.split('; ').find((each) => each.startsWith('XSRF-TOKEN='));
  return cookie ? decodeURIComponent(cookie.slice('XSRF-TOKEN='.length)) : player?.csrfToken;
}

const isFile = (body) => body instanceof Blob;

function headersOf(method, body, more) {
  const headers = {
    Accept: 'application/json',
    'Accept-Language': locale(),
    // The browser shall not ask for a password by itself.
    'X-Requested-With': 'fetch',
    ...more,
  };
  if (body !== undefined) {
    headers['Content-Type'] = isFile(body) ? 'text/csv' : 'application/json';
  }
  if (method !== 'GET' && csrfToken()) {
    headers['X-XSRF-TOKEN'] = csrfToken();
  }
  return headers;
}

/** Asks once, with a file of CSV or with an object. Returns {content, position}, or throws a Refusal or Unreachable. */
export async function call(method, path, body, more = {}) {
  let response;
  let text;
  try {
    response = await fetch(path, {
      method,
      headers: headersOf(method, body, more),
      body: body === undefined || isFile(body) ? body : JSON.stringify(body),
      credentials: 'same-origin',
      signal: AbortSignal.timeout(ANSWER_WAIT_MAX),
    });
    text = await response.text();
  } catch {
    throw new Unreachable();
  }
  const content = contentOf(text);
  if (response.ok) {
    return { content, position: response.headers.get('Lottery-Position') };
  }
  if (content.code === undefined && response.status >= 500) {
    // A proxy has answered in the lottery's place.
    throw new Unreachable();
  }
  throw new Refusal(response.status, content, Number(response.headers.get('Retry-After')) || 0);
}

/** Asks once, and tells each event of the answer as it comes: name and content. */
export async function follow(path, body, tell) {
  let response;
  try {
    response = await fetch(path, {
      method: 'POST',
      headers: headersOf('POST', body, { Accept: 'text/event-stream' }),
      body: JSON.stringify(body),
      credentials: 'same-origin',
      signal: AbortSignal.timeout(STREAM_MAX),
    });
    if (response.ok) {
      await tellEach(response.body.pipeThrough(new TextDecoderStream()).getReader(), tell);
      return;
    }
  } catch {
    throw new Unreachable();
  }
  const content = contentOf(await response.text());
  throw new Refusal(response.status, content, Number(response.headers.get('Retry-After')) || 0);
}

async function tellEach(reader, tell) {
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const blocks = (rest + part.value).split('\n\n');
    rest = blocks.pop();
    for (const block of blocks) {
      const lines = block.split('\n');
      const valueOf = (name) => lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1).trim();
      tell(valueOf('event'), contentOf(valueOf('data')));
    }
  }
}

function contentOf(text) {
  try {
    return text ? JSON.parse(text) : {};
  } catch {
    return {};
  }
}

export const read = async (path) => (await call('GET', path)).content;

/** Reads what there is once a command has come through; what there is now if that takes too long. */
export async function readAfter(path, position) {
  const parameter = position ? `${path.includes('?') ? '&' : '?'}after=${position}` : '';
  try {
    return await read(path + parameter);
  } catch (failure) {
    if (parameter && failure instanceof Refusal && failure.status === 503) {
      return read(path);
    }
    throw failure;
  }
}

export const readWays = () => read('/api/v1/session/ways');

/** Takes up the session of an earlier visit, if there was one. */
export async function resume() {
  if (localStorage.getItem(KEPT) === null) {
    return;
  }
  // Until the answer comes, nobody knows whose session the browser has.
  player = null;
  try {
    player = await read('/api/v1/session');
  } catch (failure) {
    if (failure instanceof Refusal && failure.status === 401) {
      forget();
    } else {
      throw failure;
    }
  }
}

function begin(session) {
  player = session;
  localStorage.setItem(KEPT, session.name);
}

export async function logIn(name, password) {
  begin((await call('POST', '/api/v1/session', { name, password })).content);
}

export async function sendCode(phone) {
  await call('POST', '/api/v1/session/phone-codes', { phone });
}

export async function logInByPhone(phone, code) {
  begin((await call('POST', '/api/v1/session/phone', { phone, code })).content);
}

export async function logOut() {
  try {
    await call('DELETE', '/api/v1/session');
  } catch (failure) {
    if (!(failure instanceof Refusal) || failure.status !== 401) {
      throw failure;
    }
  }
  forget();
}

export function forget() {
  player = null;
  localStorage.removeItem(KEPT);
}
