package lottery.view.reconciliation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A line of CSV")
class CsvLineTest {

    @Test
    @DisplayName("Cells with a comma, a quote or a new line are quoted, and are read as they were.")
    void quoted() {
        String line = CsvLine.encode("plain", 7, "a,b", "say \"hi\"", "two\nlines", "");

        assertThat(line).isEqualTo("plain,7,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",\r\n");
        assertThat(CsvLine.decode(line.strip())).hasValue(List.of("plain", "7", "a,b", "say \"hi\"", "two\nlines", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1"})
    @DisplayName("A cell that a spreadsheet takes for a formula begins with an apostrophe.")
    void formula(String cell) {
        assertThat(CsvLine.encode(cell, "1-1")).isEqualTo("'" + cell + ",1-1\r\n");
    }

    @Test
    @DisplayName("A formula with a quote is quoted behind its apostrophe.")
    void quotedFormula() {
        assertThat(CsvLine.encode("=HYPERLINK(\"x\",1)")).isEqualTo("\"'=HYPERLINK(\"\"x\"\",1)\"\r\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {"\"open", "\"a\"b", "a\"b", "\"a\"\""})
    @DisplayName("A line with a quote at the wrong place is no line.")
    void malformed(String line) {
        assertThat(CsvLine.decode(line)).isEmpty();
    }

    @Test
    @DisplayName("A very long line is no line, and does not exhaust the stack.")
    void tooLong() {
        assertThat(CsvLine.decode("\"" + "\"\"".repeat(499) + "\"")).isPresent();
        assertThat(CsvLine.decode("\"" + "\"\"".repeat(1_000_000) + "\"")).isEmpty();
    }
}
