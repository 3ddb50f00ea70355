package lottery.problem;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Lets a request have at most one mebibyte of body, whatever length its header names, and the statement of a provider
 * 16 of them. It is needed because the server's own limit applies to forms only.
 */
@Component
class BodyLimitFilter extends OncePerRequestFilter {

    static final int BYTES_MAX = 1 << 20;

    private static final int STATEMENT_BYTES_MAX = 16 << 20;
    private static final String STATEMENTS = "/api/v1/ops/payments/statements/";

    static final class BodyTooLargeException extends IOException {}

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        boolean isStatement = request.getRequestURI().startsWith(request.getContextPath() + STATEMENTS);
        chain.doFilter(new LimitedRequest(request, isStatement ? STATEMENT_BYTES_MAX : BYTES_MAX), response);
    }

    private static final class LimitedRequest extends HttpServletRequestWrapper {

        private final int bytesMax;

        LimitedRequest(HttpServletRequest request, int bytesMax) {
            super(request);
            this.bytesMax = bytesMax;
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            if (getContentLengthLong() > bytesMax) {
                throw new BodyTooLargeException();
            }
            return new CountingInputStream(super.getInputStream(), bytesMax);
        }
    }

    private static final class CountingInputStream extends ServletInputStream {

        private final ServletInputStream body;
        private final int bytesMax;
        private long read;

        CountingInputStream(ServletInputStream body, int bytesMax) {
            this.body = body;
            this.bytesMax = bytesMax;
        }

        @Override
        public int read() throws IOException {
            int next = body.read();
            count(next < 0 ? 0 : 1);
            return next;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int got = body.read(into, offset, length);
            count(Math.max(got, 0));
            return got;
        }

        private void count(int bytes) throws BodyTooLargeException {
            read += bytes;
            if (read > bytesMax) {
                throw new BodyTooLargeException();
            }
        }

        @Override
        public boolean isFinished() {
            return body.isFinished();
        }

        @Override
        public boolean isReady() {
            return body.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            body.setReadListener(listener);
        }
    }
}
