package lottery.app;

import lottery.app.LotteryProcess.Reply;
import org.springframework.http.HttpMethod;

/**
 * A request of a user. If it is sent again, it changes nothing more.
 *
 * @param key its key; empty: it has none
 * @param keepsAnswer whether each repetition has the same answer
 */
record RepeatableRequest(HttpMethod method, String path, String body, String key, boolean keepsAnswer) {

    /** A request that changes something, and that a number in its body identifies. */
    static RepeatableRequest numbered(String path, String body) {
        return new RepeatableRequest(HttpMethod.POST, path, body, "", true);
    }

    /** A request that is done again each time, unless it has a key. */
    static RepeatableRequest keyed(String path, String body, String key) {
        return new RepeatableRequest(HttpMethod.POST, path, body, key, !key.isEmpty());
    }

    /** A request whose answer shows what happens meanwhile. */
    static RepeatableRequest changing(String path, String body) {
        return new RepeatableRequest(HttpMethod.POST, path, body, "", false);
    }

    static RepeatableRequest reading(String path) {
        return new RepeatableRequest(HttpMethod.GET, path, "", "", true);
    }

    Reply of(LotteryProcess lottery) {
        if (method.equals(HttpMethod.GET)) {
            return lottery.get(path);
        }
        return key.isEmpty() ? lottery.post(path, body) : lottery.post(path, body, "Idempotency-Key", key);
    }
}
