package lottery.app;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One connection without any library, because libraries would refuse to send these requests. */
final class RawConnection implements AutoCloseable {

    private static final int WAIT_MAX_MS = 20_000;
    private static final JsonMapper JSON = new JsonMapper();

    /**
     * An answer.
     *
     * @param headers by their names in lower case
     */
    record RawAnswer(int status, Map<String, String> headers, String body) {

        JsonNode json() {
            return JSON.readTree(body);
        }

        boolean endsConnection() {
            return headers.getOrDefault("connection", "").equalsIgnoreCase("close");
        }
    }

    private final Socket socket;
    private final InputStream in;

    RawConnection(URI address) throws IOException {
        socket = new Socket(address.getHost(), address.getPort());
        socket.setSoTimeout(WAIT_MAX_MS);
        in = socket.getInputStream();
    }

    /** Asks on a connection of its own. */
    static RawAnswer ask(URI address, String request) throws IOException {
        try (RawConnection connection = new RawConnection(address)) {
            return connection.ask(request);
        }
    }

    /**
     * Sends the request, and returns the answer.
     *
     * @param request a text in which each character is a byte
     */
    RawAnswer ask(String request) throws IOException {
        socket.getOutputStream().write(request.getBytes(ISO_8859_1));
        String[] status = line().split(" ", 3);
        Map<String, String> headers = new TreeMap<>();
        for (String header = line(); !header.isEmpty(); header = line()) {
            int colon = header.indexOf(':');
            headers.put(
                    header.substring(0, colon).toLowerCase(Locale.ROOT),
                    header.substring(colon + 1).strip());
        }
        boolean hasBody = !request.startsWith("HEAD ");
        return new RawAnswer(Integer.parseInt(status[1]), headers, hasBody ? body(headers) : "");
    }

    private String body(Map<String, String> headers) throws IOException {
        @Nullable String length = headers.get("content-length");
        if (length != null) {
            return new String(in.readNBytes(Integer.parseInt(length)), UTF_8);
        }
        StringBuilder body = new StringBuilder();
        if ("chunked".equals(headers.get("transfer-encoding"))) {
            for (int size = chunk(); size > 0; size = chunk()) {
                body.append(new String(in.readNBytes(size), UTF_8));
                line();
            }
            line();
        }
        return body.toString();
    }

    private int chunk() throws IOException {
        return Integer.parseInt(line(), 16);
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the connection ended after: " + line);
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
