package lottery.view;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletRequest;

@DisplayName("The ETag of a read")
class EntityTagFilterTest {

    @ParameterizedTest(name = "{0} {1}: {2}")
    @CsvSource({
        "GET, /api/v1/activities/100, true",
        "GET, /api/v1/activities/100/winners/stream, false",
        "GET, /api/v1/activities/100/draws/export, false",
        "POST, /api/v1/activities/100/transitions, false"
    })
    @DisplayName("Short reads have an ETag, and streams and exports have none, because they must not be buffered.")
    void forShortReads(String method, String path, boolean tagged) {
        assertThat(new EntityTagFilter().shouldNotFilter(new MockHttpServletRequest(method, path)))
                .isEqualTo(!tagged);
    }
}
