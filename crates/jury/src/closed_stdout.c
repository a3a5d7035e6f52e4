/* Runs before main. A program that is started without a stdout must say that its result went nowhere, but Rust opens
   /dev/null in its place before main begins, and from then on nobody can tell. So the place is taken first, by
   something that cannot be written to: a write fails, and no other file gets the number. */

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

__attribute__((constructor)) static void take_the_place_of_a_closed_stdout(void) {
    if (fcntl(STDOUT_FILENO, F_GETFD) != -1 || errno != EBADF) {
        return;
    }
    int unwritable = open("/dev/null", O_RDONLY);
    if (unwritable != -1 && unwritable != STDOUT_FILENO) {
        dup2(unwritable, STDOUT_FILENO);
        close(unwritable);
    }
}
