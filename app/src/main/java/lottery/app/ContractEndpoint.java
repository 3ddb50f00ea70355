package lottery.app;

import java.io.IOException;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.util.DigestUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Serves the approved REST contract of all roles, whichever roles this process has. The build copies the contract from
 * {@code docs/openapi.json} into the jar.
 */
@RestController
class ContractEndpoint {

    @GetMapping(path = "/v3/api-docs", produces = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<byte[]> contract() throws IOException {
        byte[] contract = new ClassPathResource("openapi.json").getContentAsByteArray();
        return ResponseEntity.ok().eTag(DigestUtils.md5DigestAsHex(contract)).body(contract);
    }
}
