package lottery.problem;

import java.util.List;
import java.util.Locale;
import org.apache.catalina.Pipeline;
import org.apache.catalina.Valve;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.valves.ErrorReportValve;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.LocaleResolver;
import org.springframework.web.servlet.i18n.AcceptHeaderLocaleResolver;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/** Configures what every process with a REST interface needs. */
@Configuration(proxyBeanMethods = false)
@ComponentScan
public class ProblemConfiguration {

    /** Refuses control characters in the texts of every request body. */
    @Bean
    JacksonModule plainText() {
        return new SimpleModule("plain text").addDeserializer(String.class, new PlainTextDeserializer());
    }

    /** Replaces the error pages of the server. */
    @Bean
    WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> problemsOfTheServer(
            ProblemDocuments documents, LocaleResolver locales, JsonMapper json) {
        return factory -> factory.addContextCustomizers(context -> {
            StandardHost host = (StandardHost) context.getParent();
            Pipeline pipeline = host.getPipeline();
            for (Valve valve : pipeline.getValves()) {
                if (valve instanceof ErrorReportValve) {
                    pipeline.removeValve(valve);
                }
            }
            pipeline.addValve(new ProblemValve(documents, locales, json));
            // When the server starts, it looks for a valve of this class, and creates one of its own class if it finds
            // none.
            host.setErrorReportValveClass(ProblemValve.class.getName());
        });
    }

    /** Answers in Chinese if the caller prefers it, otherwise in English. */
    @Bean
    LocaleResolver localeResolver() {
        AcceptHeaderLocaleResolver resolver = new AcceptHeaderLocaleResolver();
        resolver.setSupportedLocales(List.of(Locale.ENGLISH, Locale.SIMPLIFIED_CHINESE, Locale.CHINESE));
        resolver.setDefaultLocale(Locale.ENGLISH);
        return resolver;
    }
}
