# The page and the HTTP interface, in an image that holds nothing but the program. After make dist:
#
#   docker build -t keyloupe .            (or podman)
#   docker run --rm -p 8080:8080 -v keyloupe-links:/data keyloupe
#
# Links are kept in /data; without a volume there they go with the container.
FROM scratch
ARG TARGETARCH=amd64
COPY --chown=65532:65532 dist/image/${TARGETARCH}/ /
ENV XDG_STATE_HOME=/data
USER 65532:65532
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["/keyloupe"]
CMD ["serve", "--listen", "0.0.0.0:8080"]
