package lottery.problem;

import java.util.Locale;
import java.util.stream.Stream;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Serves the pages that the type of a problem links to: its meaning and what to do about it. */
@RestController
class ProblemPages {

    static final String PATH = "/problems/";

    private static final MediaType HTML = MediaType.parseMediaType("text/html;charset=UTF-8");

    private final RefusalTexts texts;

    ProblemPages(RefusalTexts texts) {
        this.texts = texts;
    }

    @GetMapping(PATH + "{slug}")
    ResponseEntity<String> page(@PathVariable String slug, Locale locale) {
        Refusal refusal = Stream.of(Refusal.values())
                .filter(candidate -> RefusalStatus.slug(candidate).equals(slug))
                .findFirst()
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, PATH + slug));
        return ResponseEntity.ok().contentType(HTML).body(html(refusal, locale));
    }

    private String html(Refusal refusal, Locale locale) {
        RefusalStatus shape = RefusalStatus.of(refusal);
        return """
                <!doctype html>
                <html lang="%s"><head><meta charset="utf-8"><title>%s</title></head>
                <body><h1>%s</h1><p><code>%s</code></p><p>%s</p>
                <p>%s: %d. %s: %s.</p></body></html>
                """.formatted(
                        locale.getLanguage(),
                        texts.title(refusal, locale),
                        texts.title(refusal, locale),
                        refusal,
                        texts.advice(refusal, locale),
                        texts.phrase("status", locale),
                        shape.status().value(),
                        texts.phrase("retryable", locale),
                        texts.phrase(shape.retryable() ? "yes" : "no", locale));
    }
}
