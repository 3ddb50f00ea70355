package lottery.app;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.info.License;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The head of the REST contract; the rest of it is read from the endpoints. */
@Configuration(proxyBeanMethods = false)
class Contract {

    @Bean
    OpenAPI openApi() {
        return new OpenAPI()
                .info(new Info()
                        .title("Lottery")
                        .version("v1")
                        .description("Raffles: recharge chances, draw, follow awards.")
                        .license(new License().name("Apache-2.0")));
    }
}
