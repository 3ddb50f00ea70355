package lottery.view;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The cursor of lists by number")
class PageCursorTest {

    @Test
    @DisplayName("A cursor is read as it was written.")
    void roundTrip() {
        for (PageCursor cursor : List.of(new PageCursor(17), new PageCursor(Long.MAX_VALUE))) {
            assertThat(PageCursor.of(cursor.text())).contains(cursor);
        }
        assertThat(PageCursor.below(new PageCursor(17).text())).isEqualTo(17);
        assertThat(new PageCursor(17).text()).matches("[A-Za-z0-9_-]+");
    }

    @Test
    @DisplayName("The first page has no cursor and begins at the highest number.")
    void first() {
        assertThat(PageCursor.below(null)).isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "01", "1.0", "entry.1", "9999999999999999999"})
    @DisplayName("A text that is no cursor is refused.")
    void malformed(String plain) {
        assertThat(PageCursor.of(Base64.getUrlEncoder().encodeToString(plain.getBytes(UTF_8))))
                .isEmpty();
        assertThat(PageCursor.of("%%%")).isEmpty();
    }
}
