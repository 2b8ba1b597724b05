# The dashboard, the worker and the command line in one image; keys and passwords come when it is started.
FROM python:3.11-slim AS build
WORKDIR /source
RUN python -m venv /opt/vera
COPY pyproject.toml README.md LICENSE ./
COPY domain domain
COPY evaluators evaluators
COPY requirements_map requirements_map
COPY db db
COPY reports reports
COPY jobs jobs
COPY app app
RUN /opt/vera/bin/pip install --no-cache-dir --disable-pip-version-check ".[demo]"

FROM python:3.11-slim
# The embedded model's engine computes with OpenMP.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libgomp1 \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --uid 10001 --create-home vera \
    && install --directory --owner=vera --group=vera --mode=0700 /var/lib/vera
COPY --from=build /opt/vera /opt/vera
ENV PATH=/opt/vera/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    VERA_HOME=/var/lib/vera
USER vera
WORKDIR /home/vera
VOLUME /var/lib/vera
EXPOSE 8501
ENTRYPOINT ["vera"]
CMD ["serve"]
