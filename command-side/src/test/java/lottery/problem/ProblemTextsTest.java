package lottery.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.SubmissionFlaw;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The texts of refusals")
class ProblemTextsTest {

    private final RefusalTexts texts = new RefusalTexts();
    private final ProblemPages pages = new ProblemPages(texts);

    @ParameterizedTest
    @EnumSource(Refusal.class)
    @DisplayName("Every refusal has a title, a detail and a page, in Chinese and in English.")
    void inBothLanguages(Refusal refusal) {
        Refused refused = new Refused(refusal, "activity:100");
        assertThat(isChinese(texts.title(refusal, Locale.SIMPLIFIED_CHINESE))).isTrue();
        assertThat(isChinese(texts.detail(refused, Locale.SIMPLIFIED_CHINESE))).isTrue();
        assertThat(isChinese(texts.title(refusal, Locale.ENGLISH))).isFalse();
        assertThat(isChinese(texts.detail(refused, Locale.ENGLISH))).isFalse();
        assertThat(texts.detail(refused, Locale.ENGLISH)).contains("activity:100");

        assertThat(pages.page(RefusalStatus.slug(refusal), Locale.SIMPLIFIED_CHINESE)
                        .getBody())
                .contains(texts.advice(refusal, Locale.SIMPLIFIED_CHINESE), refusal.name());
        assertThat(pages.page(RefusalStatus.slug(refusal), Locale.ENGLISH).getBody())
                .contains(texts.advice(refusal, Locale.ENGLISH));
    }

    @ParameterizedTest
    @EnumSource(SubmissionFlaw.FlawKind.class)
    @DisplayName("Every flaw has a text in both languages.")
    void findings(SubmissionFlaw.FlawKind flaw) {
        SubmissionFlaw finding = new SubmissionFlaw("", flaw, "a -> b");
        assertThat(isChinese(texts.finding(finding, Locale.SIMPLIFIED_CHINESE))).isTrue();
        assertThat(isChinese(texts.finding(finding, Locale.ENGLISH))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"en", "zh-CN"})
    @DisplayName("A flaw whose place does not tell enough names its subject.")
    void findingSubject(Locale locale) {
        assertThat(texts.finding(
                        new SubmissionFlaw("", SubmissionFlaw.FlawKind.LINES_IN_A_CIRCLE, "a -> {b} -> 'a'"), locale))
                .endsWith("a -> {b} -> 'a'");
    }

    private static boolean isChinese(String text) {
        return text.codePoints().anyMatch(point -> Character.UnicodeScript.of(point) == Character.UnicodeScript.HAN);
    }
}
