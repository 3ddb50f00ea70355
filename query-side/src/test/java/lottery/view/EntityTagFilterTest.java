package lottery.view;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.filter.ShallowEtagHeaderFilter;

@DisplayName("The ETag of a read")
class EntityTagFilterTest {

    private static final byte[] TEXT = "an answer".getBytes(StandardCharsets.US_ASCII);

    private final MockHttpServletResponse response = new MockHttpServletResponse();

    @Test
    @DisplayName("A read has an ETag.")
    void read() throws Exception {
        filter("GET", new Endpoint());

        assertThat(response.getHeader("ETag")).isNotNull();
        assertThat(response.getContentAsByteArray()).isEqualTo(TEXT);
    }

    @Test
    @DisplayName("A command has none.")
    void command() throws Exception {
        filter("POST", new Endpoint());

        assertThat(response.getHeader("ETag")).isNull();
    }

    @Test
    @DisplayName("A stream has none, and is sent while it is written.")
    void stream() throws Exception {
        filter("GET", new Endpoint() {

            @Override
            protected void service(HttpServletRequest request, HttpServletResponse wrapped) throws IOException {
                ShallowEtagHeaderFilter.disableContentCaching(request);
                super.service(request, wrapped);
                assertThat(response.getContentAsByteArray()).isEqualTo(TEXT);
            }
        });

        assertThat(response.getHeader("ETag")).isNull();
    }

    private void filter(String method, Endpoint endpoint) throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest(method, "/api/v1/activities/100");
        new EntityTagFilter().doFilter(request, response, new MockFilterChain(endpoint));
    }

    private static class Endpoint extends HttpServlet {

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse answer) throws IOException {
            answer.getOutputStream().write(TEXT);
        }
    }
}
