package lottery.problem;

import java.util.List;
import java.util.Locale;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.LocaleResolver;
import org.springframework.web.servlet.i18n.AcceptHeaderLocaleResolver;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.module.SimpleModule;

/** What every process that is asked over REST needs, whatever it answers. */
@Configuration(proxyBeanMethods = false)
@ComponentScan
public class ProblemSide {

    /** Holds for every body that is read over REST. */
    @Bean
    JacksonModule plainText() {
        return new SimpleModule("plain text").addDeserializer(String.class, new PlainText());
    }

    /** Chinese for those who ask for it first, English for everybody else. */
    @Bean
    LocaleResolver localeResolver() {
        AcceptHeaderLocaleResolver resolver = new AcceptHeaderLocaleResolver();
        resolver.setSupportedLocales(List.of(Locale.ENGLISH, Locale.SIMPLIFIED_CHINESE, Locale.CHINESE));
        resolver.setDefaultLocale(Locale.ENGLISH);
        return resolver;
    }
}
