package lottery.problem;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.SubmissionFlaw;
import org.springframework.context.support.ResourceBundleMessageSource;
import org.springframework.stereotype.Component;

/** The texts of refusals, in Chinese and English. */
@Component
public class RefusalTexts {

    private final ResourceBundleMessageSource texts = new ResourceBundleMessageSource();

    RefusalTexts() {
        texts.setBasename("lottery/problem/texts");
        texts.setDefaultEncoding(StandardCharsets.UTF_8.name());
        // The texts without a suffix are English. They are used for all other languages, instead of the language of the
        // machine.
        texts.setFallbackToSystemLocale(false);
    }

    public String title(Refusal refusal, Locale locale) {
        return texts.getMessage(refusal.name() + ".title", null, locale);
    }

    public String detail(Refused refused, Locale locale) {
        return texts.getMessage(refused.why().name() + ".detail", new Object[] {refused.subject()}, locale);
    }

    /** Returns what to do about a refusal. */
    String advice(Refusal refusal, Locale locale) {
        return texts.getMessage(refusal.name() + ".advice", null, locale);
    }

    public String finding(SubmissionFlaw finding, Locale locale) {
        return texts.getMessage("finding." + finding.flaw().name(), new Object[] {finding.subject()}, locale);
    }

    String phrase(String key, Locale locale) {
        return texts.getMessage("phrase." + key, null, locale);
    }
}
