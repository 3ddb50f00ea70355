package lottery.bench.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;

/**
 * One connection that is kept open, with only the parts of HTTP/1.1 that the lottery uses. The client shares the cores
 * with the lottery, and a full HTTP client would use more time than the measured work.
 */
final class HttpConnection implements Closeable {

    private static final String TOKEN = System.getenv().getOrDefault("LOTTERY_LOAD_TOKEN", "");
    private static final String APPROVER_TOKEN = System.getenv().getOrDefault("LOTTERY_LOAD_APPROVER_TOKEN", TOKEN);

    private static final Duration CONNECT_MAX = Duration.ofSeconds(5);
    private static final int HEADER_BYTES_MAX = 32 << 10;
    private static final int BODY_BYTES_MAX = 4 << 20;

    private final URI lottery;
    private final Duration answerMax;
    private final byte[] authorization;
    private final byte[] buffer = new byte[16 << 10];
    private final StringBuilder line = new StringBuilder();
    private int at;
    private int end;
    private Socket socket;
    private InputStream in;
    private OutputStream out;
    private boolean isLast;

    private HttpConnection(URI lottery, Duration answerMax, byte[] authorization, Socket socket) throws IOException {
        this.lottery = lottery;
        this.answerMax = answerMax;
        this.authorization = authorization;
        this.socket = socket;
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
    }

    /** Opens a connection whose requests carry the token of {@code LOTTERY_LOAD_TOKEN}, if there is one. */
    static HttpConnection open(URI lottery, Duration answerMax) throws IOException {
        return open(lottery, answerMax, TOKEN);
    }

    /**
     * Opens a connection with {@code LOTTERY_LOAD_APPROVER_TOKEN}, the token of the second person that an approval
     * needs.
     */
    static HttpConnection openAsApprover(URI lottery, Duration answerMax) throws IOException {
        return open(lottery, answerMax, APPROVER_TOKEN);
    }

    /** @param token the bearer token; empty: requests carry none */
    static HttpConnection open(URI lottery, Duration answerMax, String token) throws IOException {
        byte[] authorization =
                token.isEmpty() ? new byte[0] : ("Authorization: Bearer " + token + "\r\n").getBytes(ISO_8859_1);
        return new HttpConnection(lottery, answerMax, authorization, connect(lottery, answerMax));
    }

    private static Socket connect(URI lottery, Duration answerMax) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(lottery.getHost(), lottery.getPort()), (int) CONNECT_MAX.toMillis());
            socket.setSoTimeout((int) answerMax.toMillis());
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Connects again after the lottery has closed the connection with its last answer. Servers do that after a number
     * of requests.
     */
    private void connectAgain() throws IOException {
        socket.close();
        socket = connect(lottery, answerMax);
        in = socket.getInputStream();
        out = socket.getOutputStream();
        at = 0;
        end = 0;
        isLast = false;
    }

    /** An answer of the lottery. */
    record HttpReply(int status, String text) {

        boolean isDone() {
            return status >= 200 && status < 300;
        }

        /** Returns the status, and for a refusal also its code. */
        String name() {
            if (isDone()) {
                return Integer.toString(status);
            }
            int code = text.indexOf("\"code\":\"");
            int end = code < 0 ? -1 : text.indexOf('"', code + 8);
            return end < 0 ? Integer.toString(status) : status + " " + text.substring(code + 8, end);
        }
    }

    HttpReply ask(byte[] request) throws IOException {
        if (isLast) {
            connectAgain();
        }
        out.write(authorized(request));
        out.flush();
        int status = Integer.parseInt(nextLine().substring(9, 12));
        long length = -1;
        boolean isChunked = false;
        int headerBytes = 0;
        for (String header = nextLine(); !header.isEmpty(); header = nextLine()) {
            headerBytes += header.length();
            if (headerBytes > HEADER_BYTES_MAX) {
                throw new IOException("more than " + HEADER_BYTES_MAX + " bytes of headers");
            }
            String lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Long.parseLong(lower.substring(15).strip());
            } else if (lower.startsWith("transfer-encoding:")) {
                isChunked = lower.endsWith("chunked");
            } else if (lower.startsWith("connection:")) {
                isLast = lower.endsWith("close");
            }
        }
        return new HttpReply(status, new String(isChunked ? chunks() : bytes(Math.max(0, length)), UTF_8));
    }

    /** Returns the request with the authorization header inserted after its first line. */
    private byte[] authorized(byte[] request) {
        if (authorization.length == 0) {
            return request;
        }
        int first = 0;
        while (request[first] != '\n') {
            first++;
        }
        first++;
        byte[] authorized = Arrays.copyOf(request, request.length + authorization.length);
        System.arraycopy(authorization, 0, authorized, first, authorization.length);
        System.arraycopy(request, first, authorized, first + authorization.length, request.length - first);
        return authorized;
    }

    private byte[] chunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int size = Integer.parseInt(nextLine(), 16); size > 0; size = Integer.parseInt(nextLine(), 16)) {
            body.write(bytes(size));
            nextLine();
        }
        nextLine();
        return body.toByteArray();
    }

    private byte[] bytes(long length) throws IOException {
        if (length > BODY_BYTES_MAX) {
            throw new IOException("a body of " + length + " bytes");
        }
        byte[] bytes = new byte[(int) length];
        int read = 0;
        while (read < bytes.length) {
            fill();
            int part = Math.min(end - at, bytes.length - read);
            System.arraycopy(buffer, at, bytes, read, part);
            at += part;
            read += part;
        }
        return bytes;
    }

    private String nextLine() throws IOException {
        line.setLength(0);
        while (true) {
            fill();
            for (; at < end; at++) {
                if (buffer[at] == '\n') {
                    at++;
                    return line.toString();
                }
                if (buffer[at] != '\r') {
                    line.append((char) (buffer[at] & 0xff));
                }
            }
            if (line.length() > HEADER_BYTES_MAX) {
                throw new IOException("a line that does not end");
            }
        }
    }

    private void fill() throws IOException {
        if (at == end) {
            at = 0;
            end = Math.max(0, in.read(buffer));
            if (end == 0) {
                throw new EOFException("the lottery has hung up");
            }
        }
    }

    static byte[] get(URI lottery, String path) {
        return "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n"
                .formatted(path, lottery.getAuthority())
                .getBytes(ISO_8859_1);
    }

    /**
     * Returns a POST request.
     *
     * @param key for idempotency; empty for none
     */
    static byte[] post(URI lottery, String path, String key, String body) {
        return post(lottery, path, key, "", body);
    }

    /**
     * Returns a POST request with a preference.
     *
     * @param key for idempotency; empty for none
     * @param prefer the header Prefer of RFC 7240; empty for none
     */
    static byte[] post(URI lottery, String path, String key, String prefer, String body) {
        byte[] content = body.getBytes(UTF_8);
        StringBuilder head = new StringBuilder(256)
                .append("POST ")
                .append(path)
                .append(" HTTP/1.1\r\nHost: ")
                .append(lottery.getAuthority())
                .append("\r\nContent-Length: ")
                .append(content.length)
                .append("\r\n");
        if (content.length > 0) {
            head.append("Content-Type: application/json\r\n");
        }
        if (!key.isEmpty()) {
            head.append("Idempotency-Key: ").append(key).append("\r\n");
        }
        if (!prefer.isEmpty()) {
            head.append("Prefer: ").append(prefer).append("\r\n");
        }
        byte[] first = head.append("\r\n").toString().getBytes(ISO_8859_1);
        byte[] request = new byte[first.length + content.length];
        System.arraycopy(first, 0, request, 0, first.length);
        System.arraycopy(content, 0, request, first.length, content.length);
        return request;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
