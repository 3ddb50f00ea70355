package lottery.view.signin;

import java.util.List;
import org.springframework.data.repository.Repository;

interface SignInRows extends Repository<SignInRow, SignInKey> {

    List<SignInRow> findByKeyUserId(String userId);
}
